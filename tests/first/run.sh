#!/bin/sh
# Programs that make one call each (first.c). Usage: tests/first/run.sh PROGRAM...
count=0 bad=0
for program; do
    count=$((count + 1))
    if why=$("$program"); then
        echo "ok $count - $(basename "$program")"
    else
        echo "not ok $count - $(basename "$program"): $why"
        bad=1
    fi
done
echo "1..$count"
exit $bad
