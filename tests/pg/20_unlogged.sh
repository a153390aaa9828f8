#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Unlogged tables are empty after a crash of the server. Whichever step it hits, and whoever comes
# back to the emptied tables, the run is found out, begins anew and ends with all its rows.
. "$(dirname "$0")/lib.sh"
pg_start
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "shop", "source": { "type": "Type", "key": ["PK", "SK"] },
  "entities": {
    "Customer": { "keys": { "PK": "C#{customer_id}", "SK": "A" },
      "table": "customer", "primary_key": ["customer_id"],
      "columns": { "customer_id": "text", "mail": "text" } },
    "Order": { "keys": { "PK": "C#{customer_id}", "SK": "O#{order_id}" },
      "table": "orders", "primary_key": ["order_id"],
      "references": [ { "columns": ["customer_id"], "to": "customer" } ],
      "stages": [ { "extract": { "into": "customer", "key": "customer_id", "columns": { "customer_id": "text", "mail": "text" } } },
                  { "extract": { "into": "product", "key": "sku", "columns": { "sku": "text", "price": "numeric" } } } ],
      "columns": { "order_id": "text", "customer_id": "text", "sku": "text" } } } }
M
orders() {
    awk -v n="$1" 'BEGIN {
        print "{\"PK\":{\"S\":\"C#0\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"Customer\"},\"mail\":{\"S\":\"m0\"}}"
        for (i = 0; i < n; i++)
            printf "{\"PK\":{\"S\":\"C#%d\"},\"SK\":{\"S\":\"O#%d\"},\"Type\":{\"S\":\"Order\"},\"mail\":{\"S\":\"m%d\"},\"sku\":{\"S\":\"s%d\"},\"price\":{\"N\":\"%d\"}}\n", i / 5, i, i / 5, i % 50, i % 60
    }'
}
orders 500 >items.jsonl
whole_load items.jsonl

# close_gate CLASS NUMBER; crash opens it
close_gate() { hold "select pg_advisory_lock($1, $2)"; }
at_gate() { waits_at "$2" "${3:-1}" "$1"; }
crash() {
    let_go
    pg_stop QUIT
    pg_run
}
same() {
    diff want.txt <(pg_rows_of "$1" model.json) >diff.txt || { head diff.txt; fail "$1: rows differ"; }
    expect_exit 0 "$RENORM" verify "$2" "$URL" -m model.json --schema "$1" --quiet
}

# in every step, as it is about to be crossed off
q "create function public.gate() returns trigger language plpgsql as
       'begin perform pg_advisory_xact_lock_shared(78, new.step); return new; end';
   create trigger gate before update on renorm.step for each row execute function public.gate()" >/dev/null
last=$(q "select max(step) from renorm.step")
for step in $(seq 0 "$last"); do
    if [ $((step % 5)) != 1 ] && { [ "$step" -gt 4 ] || [ "$SCALE" = small ]; }; then continue; fi
    close_gate 78 "$step"
    start load "$RENORM" export items.jsonl "$URL" -m model.json --schema "step_$step" --unlogged
    pid=$STARTED
    at_gate 78 "$step"
    crash
    status=0
    wait "$pid" || status=$?
    if [ "$status" != 0 ]; then
        equal "step $step: status" "$status" 3
        export_ok items.jsonl "$URL" -m model.json --schema "step_$step" --unlogged
    fi
    same "step_$step" items.jsonl
done

# in the middle of a load: a worker that comes back to the emptied tables claims nothing in them
mkdir in
for i in $(seq 8); do orders 4000 | sed "s/#/#$i-/g" >"in/$i.jsonl"; done
whole_load in
q "create function public.slow() returns trigger language plpgsql as
       'begin if new.commits > 1 or new.segment > 2 then perform pg_advisory_xact_lock_shared(79, 1); end if; return new; end';
   create trigger slow before update on renorm.segment_unlogged for each row
       when (new.commits > old.commits) execute function public.slow()" >/dev/null
close_gate 79 1
start load "$RENORM" export in "$URL" -m model.json --schema middle --unlogged -w 2 --commit-mb 1
pid=$STARTED
at_gate 79 1 2
crash
status=0
wait "$pid" || status=$?
equal "status" "$status" 3
grep -q "the server crashed, and the unlogged load with it" load.log || { cat load.log; fail "it did not say why"; }
equal "nothing was claimed in the emptied table" "$(q "select count(*) from renorm.segment_unlogged")" 0
# nor would rows that somebody else left there be taken for progress
q "insert into renorm.segment_unlogged (run, segment, epoch, done, commits) select max(run), 0, 1, true, 1 from renorm.run" >/dev/null
export_ok in "$URL" -m model.json --schema middle --unlogged -w 2 --commit-mb 1
same middle in
