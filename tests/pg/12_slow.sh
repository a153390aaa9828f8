#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# A server that takes nothing for a while: the loader stops reading and its memory stays bounded.
# Many tables, one after the other in the source: no table's buffer outlives its rows.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 200000 >items.jsonl
# the first COPY waits for as long as somebody holds advisory lock 4242
wait_function
copy_waits customer
hold "select pg_advisory_lock(4242)"
start load "$RENORM" export items.jsonl "$URL" -m model.json -w 2 --commit-mb 2
pid=$STARTED
waits_at 4242 2
# it comes to rest: no more input is read
read_so_far() { sed -n 's/^rchar: //p' "/proc/$pid/io"; }
[ -n "$(read_so_far)" ] || fail "/proc does not tell what was read"
at_rest() {
    local before
    before=$(read_so_far)
    sleep 1
    [ "$before" = "$(read_so_far)" ]
}
wait_until 'at_rest'
size=$(stat -c %s items.jsonl)
[ "$(read_so_far)" -lt "$size" ] || fail "it has read all $size bytes of input"
peak=$(ps -o rss= -p "$pid")
echo "resident $peak kB for $size bytes of input"
if [ "$MODE" = release ]; then [ "$peak" -lt 60000 ] || fail "memory grew to $peak kB"; fi
tell "select pg_advisory_unlock(4242)"
let_go
wait "$pid" || { cat "$SCRATCH/load.log"; fail "the load failed"; }
equal "all orders" "$(q 'select count(*) from shop.orders')" 180000

# ---- sorted by type ----
new_db
awk 'BEGIN {
    print "{\"renorm\":1,\"name\":\"many\",\"source\":{\"type\":\"Type\",\"key\":[\"PK\"]},\"entities\":{"
    for (i = 0; i < 24; i++) {
        printf "\"T%d\":{\"table\":\"t%d\",\"columns\":{\"PK\":\"text\",\"v\":\"text\"}}%s\n", i, i, i < 23 ? "," : ""
    }
    print "}}"
}' >many.json
awk 'BEGIN {
    v = sprintf("%1000s", ""); gsub(/ /, "x", v)
    for (i = 0; i < 24; i++)
        for (k = 0; k < 9000; k++)
            printf "{\"PK\":{\"S\":\"%d-%d\"},\"Type\":{\"S\":\"T%d\"},\"v\":{\"S\":\"%s\"}}\n", i, k, i, v
}' >sorted.jsonl
/usr/bin/time -o peak -f %M "$RENORM" export sorted.jsonl "$URL" -m many.json -w 1 --commit-mb 8 --no-constraints ||
    fail "the load of many tables failed"
echo "peak $(cat peak) kB with 24 tables in turn"
if [ "$MODE" = release ]; then [ "$(cat peak)" -lt 90000 ] || fail "memory grew to $(cat peak) kB"; fi
equal "rows of the last table" "$(q 'select count(*) from many.t23')" 9000
