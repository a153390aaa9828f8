# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the summary is that of the last call, whatever became of it, and says what was called and how it ended
exec 2>&1
cp "$TESTS/data/small.json" .
echo '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"n"}}' >items.jsonl
hash=$(renorm export items.jsonl out -m small.json --quiet --summary sum.json && jq -r .model.hash sum.json)
[ ${#hash} = 64 ] && echo "a hash"
try() {
    echo "\$ renorm $*"
    echo stale >sum.json
    renorm "$@"
    echo "[$?]"
    jq -c --arg hash "$hash" '
        if (.started <= .ended and (.started | test("^20.*Z$"))) then . else error("times") end |
        [.command, .exit_status, .ok, .error, .model.path, .model.hash == $hash, .source, .sink, .items.read,
        (.version | type)]' sum.json
}
try export items.jsonl out -m small.json --quiet --summary sum.json
try export items.jsonl out -m small.json --quiet --summary=sum.json --nonsense
try export --nonsense items.jsonl --summary sum.json
try export items.jsonl out --workers 0 --summary sum.json -m small.json
try exprot items.jsonl out --summary sum.json
try export items.jsonl --summary sum.json
try export items.jsonl out --join --summary sum.json
try export items.jsonl out --log xml -m small.json --summary sum.json
try export nothing.jsonl out -m small.json --summary sum.json
try export items.jsonl out -m nothing.json --summary sum.json
echo '{"renorm": 1, "entities": {"A": {"tabel": "a"}}}' >bad.json
try export items.jsonl out -m bad.json --summary sum.json
try export items.jsonl 'postgresql://joe:s3cret@127.0.0.1:1/shop?connect_timeout=1' -m small.json --retry-seconds 1 --summary sum.json
try verify items.jsonl out -m small.json --quiet --summary sum.json
try verify items.jsonl nowhere -m small.json --summary sum.json
try backfill items.jsonl -m small.json --summary sum.json
try backfill dynamodb:shop --undo state --summary sum.json --dry-run
# odd bytes of a command line are no broken JSON
try export $'a\xff"b' out -m small.json --summary sum.json
# help is no run
echo stale >sum.json
renorm export --help --summary sum.json >/dev/null
cat sum.json
# while it runs, and after a kill, it says so
mkfifo pipe
{ exec renorm export - later -m small.json --quiet --summary sum.json <pipe; } &
disown
exec 7>pipe
until jq -e .command sum.json >/dev/null 2>&1; do sleep 0.05; done
kill -9 $!
exec 7>&-
jq -c '[.command, .exit_status, .ended, .ok, .error, .source, .sink]' sum.json
ls
# a link is no way to something else, be it a device or a pipe: the file takes its place
mkfifo elsewhere
ln -s elsewhere link.json
renorm export items.jsonl out -m small.json --quiet --summary link.json --metrics link.json.prom
[ ! -L link.json ] && jq -c '[.command, .ok]' link.json
