# What tests of the program begin with: a folder of their own, no settings of the user's, and TAP lines.
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
TESELA_DEVICES=host
export TESELA_DEVICES
unset TESELA_DEADLINE TESELA_LOG TESELA_NCCL TESELA_TRACE TESELA_TUNE
XDG_CACHE_HOME=$dir/cache
export XDG_CACHE_HOME
# Under AddressSanitizer the search for leaks at each exit takes longer than all the rest; the other tests do it.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export ASAN_OPTIONS
count=0
failed=0

# report STATUS TEXT: one TAP line
report() {
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count - $2"
    else
        echo "not ok $count - $2"
        failed=$((failed + 1))
    fi
}

# skip REASON
skip() {
    count=$((count + 1))
    echo "ok $count # SKIP $1"
}

# await COUNT PATTERN FILE: until so many lines of the file match, a minute at most
await() {
    tries=0
    while [ "$(grep -c -e "$2" "$3")" -lt "$1" ] && [ $tries -lt 1200 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}

# lines FILE: how many there are, but for what AddressSanitizer says of an allocation it refuses
lines() {
    grep -cvE 'AddressSanitizer|^HINT: |^    #|^$' "$1"
}
