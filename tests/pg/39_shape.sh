#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# The shape of the data in the ledger: the same as a folder's, after a kill and with two processes;
# compared with the last run; a reason to hold a run.
. "$(dirname "$0")/lib.sh"
new_db
shop_files 3000 12
shop_model >model.json
# shape SCHEMA: the records of its last run, in order.
shape() { q "select jsonb_strip_nulls(to_jsonb(s)) - 'run' - 'line' from renorm.shape as s where run = (select max(run) from renorm.run where target = '$1') order by line"; }
findings() { q "select finding || ' ' || place || ' ' || name from renorm.shape where about = 'finding' and run = (select max(run) from renorm.run where target = '$1') order by 1"; }

# as a folder has it
"$RENORM" export in out -m model.json --quiet
export_ok in "$URL" -m model.json --schema whole
jq -cS '.shape[]' out/manifest.json >want.txt
shape whole | jq -cS . >whole.txt
diff -u want.txt whole.txt || fail "folder and database differ"
grep -q '"about":"attribute"' whole.txt || fail "nothing went to extra"

# killed in the middle, and gone on with
start load "$RENORM" export in "$URL" -m model.json --schema killed --commit-mb 1 --commit-seconds 1 -w 2
pid=$STARTED
wait_until '[ "$(q "select coalesce(sum(commits), 0) > 0 from renorm.segment join renorm.run using (run) where target = '"'killed'"'")" = t ]'
stop "$pid" KILL || true
[ "$(q "select state from renorm.run where target = 'killed'")" = published ] ||
    export_ok in "$URL" -m model.json --schema killed --commit-mb 1 -w 2
shape killed | jq -cS . >got.txt
diff -u whole.txt got.txt || fail "a run that was killed has another shape"

# two processes: both print the report of the whole
start first "$RENORM" export in "$URL" -m model.json --schema joined --join --commit-mb 1 -w 1 --summary first.json
first=$STARTED
start second "$RENORM" export in "$URL" -m model.json --schema joined --join --commit-mb 1 -w 1 --summary second.json
second=$STARTED
wait "$first" || { cat first.log; fail "the first of two"; }
wait "$second" || { cat second.log; fail "the second of two"; }
shape joined | jq -cS . >got.txt
diff -u whole.txt got.txt || fail "a run of two processes has another shape"
equal "the first prints" "$(jq -cS '[.shape[] | select(.about == "attribute")] | sort' first.json)" "$(jq -cS '[.shape[] | select(.about == "attribute")] | sort' second.json)"

# another night: what is new holds the run, and stays new until it is shown
sed -i -e 's/"note":{"S":\("[^"]*"\)}/"note":{"N":"1"},"fresh":{"S":\1}/' in/*
export_exit 1 in "$URL" -m model.json --schema whole --fail-on new-attribute,type-change
said 'new-attribute: Customer fresh; type-change: Customer note'
equal "held" "$(q "select state from renorm.run where run = (select max(run) from renorm.run where target = 'whole')")" held
findings whole | grep -qx 'new-attribute Customer fresh' || fail "not in the ledger"
export_ok in "$URL" -m model.json --schema whole
said 'new-attribute     Customer: fresh'
export_ok in "$URL" -m model.json --schema whole
! findings whole | grep -q '^new-attribute\|^type-change' || fail "it is new twice"

# status shows names whole
name=a_table_whose_name_is_longer_than_the_column_of_status_is_wide
jq -n --arg t "$name" '{renorm: 1, source: {key: ["PK"]}, entities: {A: {keys: {PK: "A#{id}"}, table: $t}}}' >long.json
echo '{"PK":{"S":"A#1"},"Type":{"S":"A"}}' >one.jsonl
export_ok one.jsonl "$URL" -m long.json --schema long
"$RENORM" status "$URL" >status.txt
grep -q "^  table $name  *1\$" status.txt || fail "status cuts the name of a table"
