#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# The steps behind the last row. Several are done side by side, each once: a step that fails, and a
# SIGKILL in each kind of them, leave those before it done and what it was at undone; the same command
# again goes on. Keys and references are built before anybody looks for what stands in their way.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "social", "source": { "type": "Type", "key": ["PK", "SK"] }, "entities": {
    "user": { "keys": { "PK": "u#{id}", "SK": "A" }, "primary_key": ["id"], "columns": { "id": "text", "name": "text" },
      "stages": [{ "explode": { "from": "Likes", "into": "likes", "ordinal": "n", "columns": { "whom": "text" } } }] },
    "friend": { "keys": { "PK": "u#{a}", "SK": "f#{b}" }, "columns": { "a": "text", "b": "text", "since": "bigint" },
      "stages": [{ "link": { "a": "user", "b": "user" }, "symmetric": true }] },
    "post": { "keys": { "PK": "u#{user_id}", "SK": "p#{id}" }, "primary_key": ["id"],
      "references": [{ "columns": ["user_id"], "to": "user" }], "columns": { "id": "text", "user_id": "text" },
      "stages": [{ "extract": { "into": "place", "key": "place", "columns": { "place": "text", "land": "text" } } },
                 { "extract": { "into": "user", "key": "id", "columns": { "id": { "type": "text", "from": "user_id" }, "name": { "type": "text", "from": "by" } } } }] } } }
M
awk 'BEGIN { for (i = 0; i < 120; i++) {
    if (i != 7) printf "{\"PK\":{\"S\":\"u#%d\"},\"SK\":{\"S\":\"A\"},\"Type\":{\"S\":\"user\"},\"name\":{\"S\":\"n%d\"},\"Likes\":{\"L\":[{\"M\":{\"whom\":{\"S\":\"x\"}}}]}}\n", i, i
    printf "{\"PK\":{\"S\":\"u#%d\"},\"SK\":{\"S\":\"f#%d\"},\"Type\":{\"S\":\"friend\"},\"since\":{\"N\":\"%d\"}}\n", i, (i + 1) % 120, i
    printf "{\"PK\":{\"S\":\"u#%d\"},\"SK\":{\"S\":\"p#%d\"},\"Type\":{\"S\":\"post\"},\"place\":{\"S\":\"p%d\"},\"land\":{\"S\":\"l%d\"},\"by\":{\"S\":\"n%d\"}}\n", i, i, i % 9, i % 3, i
} }' >items.jsonl
# one post comes twice
tail -n 1 items.jsonl >twice.jsonl
cat twice.jsonl >>items.jsonl
load=(items.jsonl "$URL" -m model.json --duplicates last --unlogged -w 3)
export_ok "${load[@]}" --schema whole
pg_rows_of whole model.json >want.txt
q "select name from renorm.step where run = 1 order by step" >steps.txt
shape() { q "select conname, contype, convalidated from pg_constraint where connamespace = '$1'::regnamespace and contype in ('p', 'f') order by 1"; }
shape whole >shape.txt
equal "kinds of steps" "$(cut -d ' ' -f 1 steps.txt | sort -u | xargs)" \
    "analyze carry count duplicates early foreign index key logged mirrors plain reduce refer rejects total"
equal "the duplicate is counted" "$(q "select sum(amount) from renorm.step where name like 'duplicates %'")" 1

finished() { q "select name || ' ' || finished from renorm.step where run = (select max(run) from renorm.run) and finished is not null order by 1"; }
# checked SCHEMA: the load goes on where it was, and ends with the same
checked() {
    finished >before.txt
    export_ok "${load[@]}" --schema "$1"
    equal "$1: no step is done twice" "$(finished | comm -13 - before.txt)" ""
    diff want.txt <(pg_rows_of "$1" model.json) >diff.txt || { head diff.txt; fail "$1: rows differ"; }
    diff -u shape.txt <(shape "$1") || fail "$1: other constraints"
    q "set client_min_messages = error; drop schema $1 cascade" >/dev/null
}

q "create function public.no() returns trigger language plpgsql as 'begin raise exception ''no''; end'" >/dev/null
for name in "early place" "duplicates post" "foreign post post_user_id_fkey"; do
    q "create trigger no before update on renorm.step for each row when (new.name = '$name') execute function public.no()" >/dev/null
    export_exit 4 "${load[@]}" --schema failed
    said "step \"$name\""
    q "drop trigger no on renorm.step" >/dev/null
    checked failed
done

# three at a time: all wait at once
wait_function
q "create trigger gate before update on renorm.step for each row execute function public.wait_row()" >/dev/null
hold "select pg_advisory_lock(4242)"
start load "$RENORM" export "${load[@]}" --schema together
pid=$STARTED
waits_at 4242 3
tell "select pg_advisory_unlock(4242)"
wait "$pid" || { cat load.log; fail "not loaded side by side"; }
let_go
q "drop trigger gate on renorm.step" >/dev/null
diff want.txt <(pg_rows_of together model.json) >diff.txt || { head diff.txt; fail "together: rows differ"; }

while read -r name; do
    q "create trigger gate before update on renorm.step for each row when (new.name = '$name') execute function public.wait_row()" >/dev/null
    hold "select pg_advisory_lock(4242)"
    start load "$RENORM" export "${load[@]}" --schema killed
    pid=$STARTED
    waits_at 4242
    stop "$pid" KILL || true
    let_go
    q "drop trigger gate on renorm.step" >/dev/null
    checked killed
done < <(sort -u -k 1,1 steps.txt)
