# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Drawings of the tables: boxes that do not overlap, no line through a box, names that stay names;
# fifty tables that form a tree without a crossing, cycles, and thousands in no time.
. "$(dirname "$0")/../lib.sh"
bin=$1
cd "$SCRATCH" || exit 1

models=("$TESTS/diagrams/hostile.json" "$ROOT"/examples/*/model.json)
for i in "${!models[@]}"; do
    "$bin" check "${models[i]}" --svg >"$(printf %02d "$i").svg" || fail "${models[i]}"
done
python3 "$TESTS/diagrams/check_svg.py" ./*.svg >told || fail "$(cat told)"
equal "drawings" "$(wc -l <told)" "${#models[@]}"
head -n 1 told | jq -S '.names | map_values(map(gsub("\ufffd"; "?") | gsub("[\n\u2028]"; " ")))
    | with_entries(.key |= gsub("\t"; " "))' >names
jq -S '.tables | map_values(.columns | map(.[0]))' "$TESTS/diagrams/hostile.expected.json" | diff -u - names ||
    fail "hostile names are drawn as others"

# fifty TABLES KIND: a model of so many tables; tree: each refers to one of a third of its number
fifty() {
    python3 - "$1" "$2" <<'P'
import json
import sys

n, kind = int(sys.argv[1]), sys.argv[2]
entities = {}
for i in range(n):
    to = [(i - 1) // 3] if i else []
    if kind == "cycles":
        to = [(i + 1) % n, i, (i * 7) % n]
    if kind == "rows":
        to = []
    entities[f"E{i}"] = {
        "keys": {"PK": f"T{i}#" + "{id}"}, "table": f"t{i}", "primary_key": "id",
        "references": [{"columns": f"r{k}", "to": f"t{t}"} for k, t in enumerate(to)],
        "columns": dict([("id", "text")] + [(f"r{k}", "text") for k in range(len(to))] + [(f"c{k}", "numeric") for k in range(i % 7)]),
    }
json.dump({"renorm": 1, "name": kind, "source": {"key": ["PK"]}, "entities": entities}, sys.stdout)
P
}
for kind in tree cycles rows; do
    fifty 50 $kind >$kind.json
    "$bin" check $kind.json --svg >$kind.svg
    mode=()
    if [ $kind = tree ]; then mode=(--crossings); fi
    python3 "$TESTS/diagrams/check_svg.py" "${mode[@]}" $kind.svg >$kind.told || fail "$kind: $(cat $kind.told)"
done
equal "a tree has no crossings" "$(jq .crossings tree.told)" 0
equal "every reference is a line" "$(jq .lines tree.told cycles.told rows.told | tr '\n' ' ')" "49 150 0 "
fifty 3000 tree >large.json
timeout 60 "$bin" check large.json --svg >large.svg || fail "3000 tables take too long"
equal "all tables are drawn" "$(grep -c '^<g id=' large.svg)" 3000
"$bin" check large.json --svg | cmp - large.svg || fail "two drawings differ"
