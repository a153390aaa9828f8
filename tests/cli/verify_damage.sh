# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# rows missing, extra and different in a folder whose files were made again, keys named
cp "$TESTS/data/small.json" .
for i in 1 2 3; do echo '{"PK":{"S":"CUSTOMER#'$i'"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"n'$i'"},"Tags":{"SS":["t"]}}'; done >items.jsonl
renorm export items.jsonl out -m small.json --quiet --workers 1 || exit
renorm verify items.jsonl out -m small.json --workers 1 || exit
sed -e '/CUSTOMER#1"/d' -e 's/"n2"/"N2"/' items.jsonl >other.jsonl
echo '{"PK":{"S":"CUSTOMER#4"},"SK":{"S":"A"},"Type":{"S":"Customer"}}' >>other.jsonl
renorm verify other.jsonl out -m small.json --workers 1 >found
echo "[$?]"
sort found
echo '{"PK":{"S":"CUSTOMER#5"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Age":{"S":"old"}}' >>items.jsonl
renorm verify items.jsonl out -m small.json --workers 1 --quiet
echo "[$?]"
sed 's/"age"/"years"/' small.json >another.json
renorm verify items.jsonl out -m another.json 2>&1 | sed -E 's/[0-9a-f]{12}/HASH/g'
echo "[${PIPESTATUS[0]}]"
part=$(ls out/customer/*.zst)
printf xx | dd of="$part" bs=1 seek=20 conv=notrunc 2>/dev/null
renorm verify items.jsonl out -m small.json --workers 1 --quiet 2>&1 | sed "s|$part|PART|; s|damaged: .*|damaged|"
echo "[${PIPESTATUS[0]}]"
rm "$part"
renorm verify items.jsonl out -m small.json --workers 1 --quiet 2>&1 | sed "s|$part|PART|; s|damaged: .*|damaged|"
echo "[${PIPESTATUS[0]}]"
# rejects are part of what is proved
renorm export items.jsonl bad -m small.json --quiet --workers 1 --max-rejects 1 || exit
renorm verify items.jsonl bad -m small.json --workers 1 || exit
rm bad/rejects/*.zst
renorm verify items.jsonl bad -m small.json --workers 1 --quiet 2>&1 | sed 's|part-[0-9]*|PART|'
echo "[${PIPESTATUS[0]}]"
ls
