# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The tables of every example, and of a model whose names are full of other languages' syntax, as
# Mermaid, DBML and Graphviz text: Mermaid, @dbml/core and dot read them, and understand the same.
. "$(dirname "$0")/../lib.sh"
bin=$1

models=("$TESTS/diagrams/hostile.json" "$ROOT"/examples/*/model.json)
for format in mermaid dbml dot; do
    mkdir -p "$SCRATCH/$format"
    for i in "${!models[@]}"; do
        "$bin" check "${models[i]}" --$format >"$SCRATCH/$format/$(printf %02d "$i")" || fail "${models[i]}: --$format"
    done
    node "$TESTS/diagrams/read.js" $format "$SCRATCH/$format"/* >"$SCRATCH/$format.read" ||
        fail "$format does not read them"
    equal "$format: files read" "$(wc -l <"$SCRATCH/$format.read")" "${#models[@]}"
    diff -u "$TESTS/diagrams/hostile.expected.json" <(head -n 1 "$SCRATCH/$format.read" | jq .) ||
        fail "$format: hostile names are read as others"
done
cmp "$SCRATCH/mermaid.read" "$SCRATCH/dbml.read" || fail "mermaid and dbml differ"
cmp "$SCRATCH/dbml.read" "$SCRATCH/dot.read" || fail "dbml and dot differ"

# a reader that takes anything would prove nothing
for format in mermaid dbml dot; do
    sed 's/{/{ { "/' "$SCRATCH/$format/00" >"$SCRATCH/broken"
    if node "$TESTS/diagrams/read.js" $format "$SCRATCH/broken" >"$SCRATCH/broken.out" 2>&1; then
        fail "$format takes a broken text"
    fi
done
