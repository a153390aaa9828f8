#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The steps behind the last row: one that fails leaves those before it done, and what it was at undone;
# the same command again goes on with it. Keys and references are built before anybody looks for what
# stands in their way.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 300 >items.jsonl
whole_load items.jsonl
steps() { q "select name from renorm.step where run = (select max(run) from renorm.run) order by step"; }
equal "keys are built where duplicates would show" "$(steps | grep -c '^duplicates\|^key')" 6
shape() { q "select conname, contype, convalidated from pg_constraint where connamespace = '$1'::regnamespace and contype in ('p', 'f') order by 1"; }
shape whole >shape.txt
q "create function public.no() returns trigger language plpgsql as 'begin raise exception ''no''; end'" >/dev/null

n=0
for name in "duplicates customer" "duplicates order_line" "key orders" "$(steps | grep -m 1 ^foreign)" "total orders"; do
    n=$((n + 1))
    q "create trigger no before update on renorm.step for each row when (new.name = '$name') execute function public.no()" >/dev/null
    export_exit 4 items.jsonl "$URL" -m model.json --schema "s$n"
    done_before=$(q "select string_agg(step || ' ' || finished, ',' order by step) from renorm.step where run = (select max(run) from renorm.run) and finished is not null")
    q "drop trigger no on renorm.step" >/dev/null
    export_ok items.jsonl "$URL" -m model.json --schema "s$n"
    now=$(q "select string_agg(step || ' ' || finished, ',' order by step) from renorm.step where run = (select max(run) from renorm.run)")
    [ "${now#"$done_before"}" != "$now" ] || fail "$name: steps were repeated"
    diff want.txt <(pg_rows_of "s$n" model.json) >diff.txt || { head diff.txt; fail "$name: rows differ"; }
    diff -u shape.txt <(shape "s$n") || fail "$name: other constraints"
done
