# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the scenarios of live tables share; source it after tests/lib.sh. It begins the scenario.
. "$TESTS/sim/sim.sh"
. "$TESTS/tools/dynalite.sh"

scenario
BIN=${1:?the renorm binary}
export BIN
sim_only

# live_sim OPTION...: a simulator that knows those keys, and the environment that leads to it.
live_sim() {
    sim_start sim --credentials AKID:SECRET "$@"
    export AWS_ENDPOINT_URL_DYNAMODB=$SIM_URL
}

# rows OUT: all rows of all tables, "TABLE ROW", sorted by bytes; of what was rejected the reasons
# only, for the items stand there as they came.
rows() {
    local table
    for table in rejects unrouted; do
        if ! compgen -G "$1/$table/part-*.jsonl.zst" >/dev/null; then continue; fi
        zstd -dcq "$1/$table"/part-*.jsonl.zst | jq -c "[\"$table\", .renorm.reason, .renorm.entity, .renorm.detail]"
    done | sort
    for table in "$1"/*/; do
        table=$(basename "$table")
        if [[ $table = @(rejects|unrouted) ]] || ! compgen -G "$1/$table/part-*.jsonl.zst" >/dev/null; then continue; fi
        zstd -dcq "$1/$table"/part-*.jsonl.zst | sed "s|^|$table |"
    done | sort
}

# same_rows WHAT OUT WANT: WANT is a file of sorted rows.
same_rows() {
    rows "$2" >"$SCRATCH/got.rows"
    cmp -s "$3" "$SCRATCH/got.rows" && return 0
    { diff "$3" "$SCRATCH/got.rows" || true; } | cut -c1-300 | sed -n 1,20p >&2
    fail "$1: other rows ($(wc -l <"$SCRATCH/got.rows"), not $(wc -l <"$3"))"
}

# shop_model FILE: the model of the simulator's made-up items.
shop_model() { cp "$TESTS/sim/shop.json" "$1"; }

# shop_rows FILE OPTION...: the rows that a file export of the simulator's items makes.
shop_rows() {
    local file=$1
    shift
    "$OBJDIR/tests/sim/sim" "$@" --dump items.jsonl
    rm -rf reference
    "$BIN" export items.jsonl reference -m model.json --quiet
    rows reference >"$file"
}

# model_keys FILE: the names of the key attributes that a model gives, with a comma between.
model_keys() { sed -nE '/"key": \[/{ s/.*"key": \[([^]]*)\].*/\1/; s/[" ]//g; p; q; }' "$1"; }
