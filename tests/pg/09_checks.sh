#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Duplicate keys, rows without a parent, keys too long for an index, held runs, other models.
. "$(dirname "$0")/lib.sh"
new_db
shop_model >model.json
items 50 >items.jsonl

# two items with one key: the same order number at two customers
{
    cat items.jsonl
    sed -n 2p items.jsonl | sed -e 's/CUSTOMER#0/CUSTOMER#4/' -e 's/"1.01"/"7.77"/' -e 's/,{"M":{"sku":{"S":"t[0-9]*"},"qty":{"N":"1"}}}//'
} >twice.jsonl
export_exit 1 twice.jsonl "$URL" -m model.json -w 1
said 'table "orders": 1 rows have a key that another row has'
said '{"order_id": "1"} from {"PK":{"S":"CUSTOMER#0"},"SK":{"S":"#ORDER#1"}} and {"PK":{"S":"CUSTOMER#4"},"SK":{"S":"#ORDER#1"}}'
equal "nothing published" "$(q "select to_regclass('shop.orders') is null")" t
# the same run goes on with another decision
export_ok twice.jsonl "$URL" -m model.json -w 1 --duplicates last
equal "the last" "$(q "select total from shop.orders where order_id = '1'")" 7.77
equal "only its lines" "$(q "select count(*) from shop.order_line where order_id = '1'")" 1
equal "the load was not repeated" "$(q 'select count(*) from renorm.run')" 1
export_ok twice.jsonl "$URL" -m model.json -w 1 --duplicates first
equal "the first" "$(q "select total, (select count(*) from shop.order_line where order_id = '1') from shop.orders where order_id = '1'")" "1.01|2"

# verify makes the same decision, with however many hands it reads
verify_ok() { "$RENORM" verify "$@" -m model.json >verify.txt 2>&1 || { cat verify.txt >&2; fail "verify $*"; }; }
verify_ok twice.jsonl "$URL"
verify_ok twice.jsonl "$URL" -w 4
export_ok twice.jsonl "$URL" -m model.json -w 3 --duplicates last
verify_ok twice.jsonl "$URL"
# an item that stands three times, lines and all
{ cat twice.jsonl; sed -n 3p items.jsonl; sed -n 3p items.jsonl; } >thrice.jsonl
for keep in first last; do
    export_ok thrice.jsonl "$URL" -m model.json --duplicates $keep --schema thrice
    verify_ok thrice.jsonl "$URL" --schema thrice
done
# but not another one
q "update shop.orders set total = 1.01 where order_id = '1'" >/dev/null
"$RENORM" verify twice.jsonl "$URL" -m model.json >verify.txt 2>&1 && fail "the wrong one of two was taken for right"
grep -q '^orders: different: \["1"\]' verify.txt || fail "$(cat verify.txt)"
# a table, or a column, that is gone
q 'alter table thrice.orders drop column total; drop table thrice.order_line' >/dev/null
status=0
"$RENORM" verify thrice.jsonl "$URL" -m model.json --schema thrice >verify.txt 2>&1 || status=$?
equal "tables gone" "$status" 1
for line in 'order_line  *the table is missing' 'orders  *column "total" is missing' 'customer  *5 rows  equal'; do
    grep -q "^$line" verify.txt || fail "$(cat verify.txt)"
done

# orders of a customer nobody has
grep -v 'CUSTOMER#3"},"SK":{"S":"A"' items.jsonl >orphans.jsonl
export_exit 1 orphans.jsonl "$URL" -m model.json --schema strict --orphans fail
said '9 rows of table "orders" have no parent'
equal "not published" "$(q "select to_regclass('strict.orders') is null")" t
equal "what was found stays" "$(q 'select count(*), min(source_key) from renorm.orphan')" '9|{"PK":{"S":"CUSTOMER#3"},"SK":{"S":"#ORDER#31"}}'
export_ok orphans.jsonl "$URL" -m model.json --schema strict
equal "listed" "$(q "select count(*), min(source_key) from renorm.orphan where constraint_name = 'orders_customer_id_fkey'")" '9|{"PK":{"S":"CUSTOMER#3"},"SK":{"S":"#ORDER#31"}}'
equal "not valid" "$(q "select convalidated from pg_constraint where conname = 'orders_customer_id_fkey' and connamespace = 'strict'::regnamespace")" f
equal "the others are" "$(q "select bool_and(convalidated) from pg_constraint where conname <> 'orders_customer_id_fkey' and connamespace = 'strict'::regnamespace")" t
# append more of them to a constraint that is not valid
sed 's/ORDER#3/ORDER#13/' orphans.jsonl | grep CUSTOMER#3 >more.jsonl
export_ok more.jsonl "$URL" -m model.json --schema strict --mode append
equal "more orphans" "$(q "select count(*) from strict.orders where customer_id = '3'")" 18
# refused behind the rows: all is undone but for the list
sed 's/ORDER#3/ORDER#23/' orphans.jsonl | grep CUSTOMER#3 >yet.jsonl
for mode in append merge; do
    export_exit 1 yet.jsonl "$URL" -m model.json --schema strict --mode $mode --orphans fail --restart
    said '27 rows of table "orders" have no parent'
    equal "$mode: nothing added" "$(q "select count(*) from strict.orders where customer_id = '3'")" 18
    equal "$mode: what was found stays" "$(q "select count(*), min(key->>'order_id') from renorm.orphan where run = (select max(run) from renorm.run)")" "27|131"
done
export_ok more.jsonl "$URL" -m model.json --schema strict --mode merge --restart
# the missing parent heals it
grep 'CUSTOMER#3"},"SK":{"S":"A"' items.jsonl >parent.jsonl
export_ok parent.jsonl "$URL" -m model.json --schema strict --mode append
equal "valid again" "$(q "select convalidated from pg_constraint where conname = 'orders_customer_id_fkey' and connamespace = 'strict'::regnamespace")" t

# a key no index takes; random, so that it cannot be compressed
long=$(head -c 6000 /dev/urandom | base64 -w0)
echo '{"PK":{"S":"CUSTOMER#'"$long"'"},"SK":{"S":"A"},"Type":{"S":"Customer"},"name":{"S":"long"}}' >long.jsonl
for mode in append merge replace; do
    export_exit 1 long.jsonl "$URL" -m model.json --schema lengthy --mode $mode --restart
    said 'table "customer" has keys longer than an index takes (2,704 bytes): "customer_id"'
    said 'from {"PK":{"S":"CUSTOMER#'
    equal "$mode: nothing published" "$(q "select to_regclass('lengthy.customer') is null")" t
done
# a reference has an index too
echo '{"PK":{"S":"CUSTOMER#'"$long"'"},"SK":{"S":"#ORDER#1"},"Type":{"S":"Order"},"total":{"N":"1"}}' >longref.jsonl
for mode in append merge replace; do
    export_exit 1 longref.jsonl "$URL" -m model.json --schema lengthy --mode $mode --restart
    said 'table "orders" has references longer than an index takes (2,704 bytes): "customer_id"'
    said 'from {"PK":{"S":"CUSTOMER#'
done
# long, but an index stores it compressed
{
    printf '{"PK":{"S":"CUSTOMER#%s"},"SK":{"S":"A"},"Type":{"S":"Customer"},"name":{"S":"long"}}\n' "$(printf '%06000d' 0)"
    printf '{"PK":{"S":"CUSTOMER#%s"},"SK":{"S":"#ORDER#2"},"Type":{"S":"Order"},"total":{"N":"1"}}\n' "$(printf '%06000d' 0)"
} >even.jsonl
for mode in append merge replace; do
    export_ok even.jsonl "$URL" -m model.json --schema "even_$mode" --mode $mode
    equal "$mode: it fits" "$(q "select length(customer_id) from even_$mode.orders")" 6000
done
export_ok long.jsonl "$URL" -m model.json --schema lengthy --no-constraints --restart
equal "no constraints" "$(q "select count(*) from pg_constraint where connamespace = 'lengthy'::regnamespace")" 0

# held: above the allowance nothing is shown, and a higher one shows it at once
export_ok items.jsonl "$URL" -m model.json --schema held
{ cat items.jsonl; echo '{"PK":{"S":"CUSTOMER#9"},"SK":{"S":"wrong"},"Type":{"S":"Order"}}'; echo '{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Nobody"}}'; printf 'not json \001\n'; } >bad.jsonl
export_exit 1 bad.jsonl "$URL" -m model.json --schema held
said "is held"
equal "state" "$(q "select state from renorm.run where target = 'held' order by run desc limit 1")" held
equal "rejects as they came" "$(q "select count(*) from renorm.reject where run = (select max(run) from renorm.run) and item = convert_to('not json ' || chr(1), 'UTF8')")" 1
export_ok bad.jsonl "$URL" -m model.json --schema held --max-rejects 2 --max-unrouted 1
equal "read only once" "$(q "select count(*) from renorm.run where target = 'held'")" 2
equal "three rejects" "$(q "select count(*) from renorm.reject")" 3

# an unfinished run of another model is refused, and given up on request
export_exit 1 bad.jsonl "$URL" -m model.json --schema held
sed 's/"name": "text"/"name": "text", "note": "text"/' model.json >other.json
export_exit 2 bad.jsonl "$URL" -m other.json --schema held
said "has another model"
export_exit 2 items.jsonl "$URL" -m model.json --schema held
said "has another source"
export_exit 2 bad.jsonl "$URL" -m model.json --schema held --mode append
said "has another mode"
export_ok items.jsonl "$URL" -m other.json --schema held --restart
equal "its staging is gone" "$(q "select count(*) from pg_namespace where nspname like 'renorm_run_%'")" 0

# --keep-runs
export_ok items.jsonl "$URL" -m model.json --schema held --keep-runs 1
equal "runs kept" "$(q "select count(*) from renorm.run where target = 'held'")" 1

# rejects as a source: fed back they are rejected again, byte for byte, and none gets lost
export_ok bad.jsonl "$URL" -m model.json --schema again --max-rejects 2 --max-unrouted 1
run=$(q "select max(run) from renorm.run")
export_exit 1 "$URL" out -m model.json --run "$run"
q "select encode(item, 'hex') from renorm.reject where run = $run order by 1" >want.txt
export_ok "$URL" "$URL" -m model.json --run "$run" --schema again2 --max-rejects 2 --max-unrouted 1
q "select encode(item, 'hex') from renorm.reject where run > $run order by 1" >got.txt
diff -u want.txt got.txt || fail "rejects changed on their way"
sed 's/"Order": {/"Nobody": { "table": "nobody", "columns": { "PK": "text" } }, "Order": {/' model.json >mended.json
export_ok "$URL" "$URL" -m mended.json --run "$run" --schema mended --max-rejects 2
equal "the mended model takes it" "$(q 'select count(*) from mended.nobody')" 1
