# Runs a program that cannot do its work: it must end by itself, with status 1, and say the word.
said=$("$1" 2>&1)
status=$?
echo "status $status: $said"
[ "$status" -eq 1 ] && case $said in *"$2"*) exit 0 ;; esac
exit 1
