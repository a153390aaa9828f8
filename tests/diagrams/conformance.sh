#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What check --dbt and --contract print, read by dbt and by datacontract-cli: part of make
# conformance. dbt runs its tests against the loaded tables, and finds what is broken in them.
# Usage: conformance.sh BIN
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../tools/pg.sh
. "$TESTS/tools/pg.sh"
scratch
cd "$SCRATCH" || exit 1
bin=$1
[[ $bin = /* ]] || bin=$ROOT/$bin
models=("$TESTS/diagrams/hostile.json" "$ROOT"/examples/*/model.json)

contracts() {
    local i
    for i in "${!models[@]}"; do
        "$bin" check "${models[i]}" --contract >contract.yaml || return 1
        "$BUILD/datacontract/bin/datacontract" lint contract.yaml >lint.txt 2>&1 || { cat lint.txt "${models[i]}"; return 1; }
        "$BUILD/datacontract/bin/python" "$TESTS/diagrams/read_contract.py" contract.yaml >"contract.$i"
        "$bin" check "${models[i]}" --dbml >dbml || return 1
        node "$TESTS/diagrams/read.js" dbml dbml | cmp - "contract.$i" || { echo "${models[i]}: the contract says something else"; return 1; }
    done
    sed 's/logicalType: object/logicalType: thing/' contract.yaml >broken.yaml
    ! "$BUILD/datacontract/bin/datacontract" lint broken.yaml >lint.txt 2>&1
}

dbt() {
    DO_NOT_TRACK=1 "$BUILD/dbt/bin/dbt" --no-use-colors "$@" --profiles-dir "$SCRATCH/dbt" --project-dir "$SCRATCH/dbt" >dbt.txt 2>&1
}

dbt_project() {
    mkdir -p dbt/models
    printf '%s\n' "name: tables" "version: '1.0'" "config-version: 2" "profile: tables" >dbt/dbt_project.yml
    cat >dbt/profiles.yml <<Y
tables:
  target: test
  outputs:
    test: {type: postgres, host: $PG_DIR, port: 5432, user: postgres, password: none, dbname: dbt, schema: public, threads: 1}
Y
}

# Every promise of a model holds in the tables that were made of it.
promises() {
    local name
    "$bin" export "$TESTS/diagrams/hostile.jsonl" "$1" -m "$TESTS/diagrams/hostile.json" --quiet || return 1
    "$bin" check "$TESTS/diagrams/hostile.json" --dbt >dbt/models/sources.yml || return 1
    dbt test || { cat dbt.txt; return 1; }
    grep -q 'PASS=29 WARN=0 ERROR=0' dbt.txt || { cat dbt.txt; return 1; }
    for name in 01_organizations 03_customer_orders 10_duplicated_data; do
        (cd "$ROOT/examples/$name" && "$bin" export items.jsonl "$1" -m model.json --schema "$name" --quiet --max-rejects 1) || return 1
        "$bin" check "$ROOT/examples/$name/model.json" --dbt --schema "$name" >dbt/models/sources.yml || return 1
        dbt test || { cat dbt.txt; return 1; }
    done
}

# A key, a reference and a NOT NULL of the hostile tables are broken: three tests must say so.
breaches() {
    psql -Xq -v ON_ERROR_STOP=1 -d "$1" <<'S' || return 1
set search_path to "ho'st""ile {{ 1 }}";
alter table c_line drop constraint c_line_pkey cascade;
insert into c_line (c, ordinal) select c, ordinal from c_line;
alter table c drop constraint c_parent_fkey;
update c set parent = 'nobody';
alter table plain drop constraint plain_pkey cascade;
alter table plain alter plain_id drop not null;
insert into plain (plain_id) values (null);
S
    "$bin" check "$TESTS/diagrams/hostile.json" --dbt >dbt/models/sources.yml || return 1
    if dbt test || ! grep -q 'ERROR=3 ' dbt.txt; then
        cat dbt.txt
        return 1
    fi
}

if [ -x "$BUILD/datacontract/bin/datacontract" ]; then
    if contracts; then ok "contracts"; else not_ok "contracts"; fi
else
    skip "contracts" "datacontract-cli is not there: PyPI did not answer"
fi
if [ -x "$BUILD/dbt/bin/dbt" ]; then
    pg_start || exit 1
    url=$(pg_db dbt)
    dbt_project
    if promises "$url"; then ok "dbt: promises hold"; else not_ok "dbt: promises hold"; fi
    if breaches "$url"; then ok "dbt: breaches are found"; else not_ok "dbt: breaches are found"; fi
else
    skip "dbt" "it is not there: PyPI did not answer"
fi
closing
