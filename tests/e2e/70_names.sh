#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Names that come from data never leave the folder, and never meet.
. "$(dirname "$0")/lib.sh"
scenario
long=$(printf 'x%.0s' $(seq 300))
{
    i=0
    for t in ../../etc/passwd a/b .. . '' "$long" "${long}y" 'a b' 'a%20b' rejects manifest.json .renorm; do
        i=$((i + 1))
        jq -nc --arg t "$t" --arg i "$i" '{PK: {S: $i}, SK: {S: "s"}, Type: {S: $t}}'
    done
} >items.jsonl
jq -n --arg a "$long" --arg b "${long}y" '{renorm: 1, name: "n", source: {key: ["PK", "SK"]},
    entities: ({"../../etc/passwd": "../../etc/passwd", "a/b": "a/b", "..": "..", ".": ".", "a b": "a b", "a%20b": "a%20b",
        "rejects": "rejects", "manifest.json": "manifest.json", ".renorm": ".renorm"}
        | with_entries(.value = {table: .value, columns: {id: {type: "text", from: "PK"}}}))}' >model.json
"$BIN" export items.jsonl out -m model.json --max-unrouted 9 --summary s.json --quiet
equal "items" "$(summary s.json '[.items.read, .items.routed, .items.unrouted] | join(" ")')" "12 9 3"
equal "only the folder was written" "$(find . -newer model.json -type f ! -path './out/*' ! -name s.json | sort)" ""
equal "tables" "$(summary out/manifest.json '[.tables[] | select(.rows == 1)] | length')" 9
equal "folders" "$(summary out/manifest.json '[.tables[].folder] | unique | length')" 9
equal "unrouted kept" "$(zstdcat out/unrouted/*.zst | wc -l)" 3
equal "mode of unrouted" "$(stat -c %a out/unrouted/*.zst | sort -u)" 600
"$BIN" verify items.jsonl out -m model.json --quiet
