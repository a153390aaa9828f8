#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What verify finds in a folder besides rows: parts that the manifest does not name, other rejected and
# unrouted items, numbers of the manifest that are not those of the run.
. "$(dirname "$0")/lib.sh"
scenario
"$GEN" 200 >items.jsonl
{
    printf '%s\n' '{"PK":{"S":"CUSTOMER#x"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"N":"1e999"}}'
    printf '%s\n' '{"PK":{"S":"Q"},"SK":{"S":"Q"},"Type":{"S":"Nobody"},"V":{"S":"one"}}' 'no json at all'
} >>items.jsonl
allow=(--max-rejects 9 --max-unrouted 9)
"$BIN" export items.jsonl good -m "$SHOP" --quiet "${allow[@]}"
"$BIN" verify items.jsonl good -m "$SHOP" --quiet
equal "unrouted" "$(jq .items.unrouted good/manifest.json)" 1
[ "$(jq .items.rejected good/manifest.json)" -ge 2 ] || fail "nothing was rejected"
grep -q item_base64 <(zstdcat good/rejects/*.zst) || fail "no reject is kept as bytes"

# bad STATUS WORDS: verify of `out` ends so and says it; `out` is fresh afterwards
bad() {
    expect_exit "$1" "$BIN" verify items.jsonl out -m "$SHOP" --quiet >told 2>&1
    grep -qF -- "$2" told || fail "it did not say \"$2\": $(cat told)"
    rm -rf out && cp -a good out
}

# put FOLDER TEXT-FILTER: a part made anew, and the manifest with its size and sha256
put() {
    local part name
    part=$(find "out/$1" -name 'part-*' | head -n 1)
    name=${part##*/}
    zstdcat -q "$part" | eval "$2" >text
    rm "$part" && zstd -q text -o "$part"
    jq --arg n "$name" --arg s "$(sha256sum "$part" | cut -d' ' -f1)" --argjson b "$(stat -c %s "$part")" --arg f "$1" '
        def mend: if .folder == $f then .files = [.files[] | if .name == $n then .sha256 = $s | .bytes = $b else . end]
            | .bytes = ([.files[].bytes] | add) else . end;
        .tables = [.tables[] | mend] | .rejects |= mend | .unrouted |= mend' out/manifest.json >manifest.new
    mv manifest.new out/manifest.json
}

# change FILTER: another manifest
change() { jq "$1" out/manifest.json >manifest.new && mv manifest.new out/manifest.json; }

cp -a good out
put customer cat
"$BIN" verify items.jsonl out -m "$SHOP" --quiet || fail "a part packed anew is no difference"
cp "$(find out/customer -name 'part-*' | head -n 1)" out/customer/part-999999.jsonl.zst
bad 4 'does not name "out/customer/part-999999.jsonl.zst"'
cp -a out/customer out/stranger
bad 4 'does not name "out/stranger"'
touch out/unrouted/note.txt
bad 4 'does not name "out/unrouted/note.txt"'

put unrouted 'sed s/one/two/'
bad 1 'unrouted items: the sink has as many as the source, but others'
put rejects 'sed s/CUSTOMER#x/CUSTOMER#y/'
bad 1 'rejected items: the sink has as many as the source, but others'
put rejects 'sed "s/\"item_base64\":\"b/\"item_base64\":\"c/"'
bad 1 'rejected items: the sink has as many as the source, but others'

change '.items.read += 1'
bad 4 'do not add up'
change '.items.read += 1 | .items.filtered += 1'
bad 1 'items read: the source gives'
change '.rejects.by_reason[] |= . + 1'
bad 1 'rejected '
change '.unrouted.by_type = {"Somebody": 1}'
bad 1 'unrouted Nobody: the source gives 1, the sink says 0'
change '.conflicts += 3'
bad 1 'conflicts: the source gives 0, the sink says 3'
change '.tables[0].rows += 1'
bad 4 'but of its files'
change '.tables[0].bytes += 1'
bad 4 'but of its files'
change 'del(.started_us)'
bad 4 'no time of its run'
