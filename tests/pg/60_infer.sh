#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An export that names no model infers one, leaves it behind, loads, and can be verified; the second one uses the same
# model: our own designs, and the real tables beside the repository.
. "$(dirname "$0")/lib.sh"
new_db
shared=${RENORM_SHARED:-$ROOT/../shared}
designs() { PYTHONPATH=$ROOT/tests/infer /usr/bin/python3 -c "$1" "${@:2}"; }

# whole ITEMS: into a schema of its own, after its name.
whole() {
    local items=$1 lost=${2:-0}
    "$RENORM" export "$items" "$URL" --quiet --ttl off --max-rejects "$lost"
    "$RENORM" verify "$items" "$URL" --quiet --ttl off
}

mkdir -p designs
for name in tree mirrored link_table dictionaries only_copies optional_parts two_shapes number_keys extremes; do
    designs 'import sys, designs; designs.write(sys.argv[1], sys.argv[2])' "$name" "designs/$name"
    mv "designs/$name/items.jsonl" "$name.jsonl"
    whole "$name.jsonl"
done
for f in "$shared"/data/sets/*.jsonl; do
    [ -f "$f" ] || continue
    case $f in
    */corner-all-types.jsonl) whole "$f" 1 ;;
    *) whole "$f" ;;
    esac
done

# the second night: the same model, and no other is left behind
sum=$(sha256sum tree.model.json)
whole tree.jsonl
equal "the model" "$(sha256sum tree.model.json)" "$sum"
[ ! -e tree.model.2.json ]
