# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# what could not be printed is no success; an export that did its work only says so
try() {
    renorm "$@" >/dev/full
    echo "full [$?]"
    renorm "$@" >&-
    echo "closed [$?]"
    python3 -c 'if True:
        import os, subprocess, sys
        r, w = os.pipe()
        os.close(r)
        sys.exit(subprocess.run(sys.argv[1:], stdout=w).returncode)' renorm "$@"
    echo "no reader [$?]"
}
cp "$TESTS/data/small.json" .
item='{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"n"}}'
echo "$item" >items.jsonl
renorm export items.jsonl out -m small.json --quiet || exit
exec 2>&1
for words in "check small.json" "check small.json --ddl" "check small.json items.jsonl" "status out" \
    "verify items.jsonl out -m small.json" "export items.jsonl out -m small.json --dry-run" \
    --manual --completion --help --version "check --help"; do
    echo "\$ renorm $words"
    # shellcheck disable=SC2086
    try $words
done
echo "\$ renorm explain small.json ITEM"
try explain small.json "$item"
echo "\$ renorm export"
renorm export items.jsonl sheet -m small.json >/dev/full
echo "full [$?]"
renorm export items.jsonl sheet -m small.json --restart >&-
echo "closed [$?]"
renorm verify items.jsonl sheet -m small.json --quiet && echo "no sheet among the rows"
# a usage error stays one
renorm check nowhere.json >/dev/full
echo "[$?]"
