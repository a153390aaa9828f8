# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# publish shows what is held, as it is, without the source and the model
cp "$TESTS/data/small.json" .
customers() { seq "$1" | sed 's/.*/{"PK":{"S":"CUSTOMER#&"},"SK":{"S":"A"},"Type":{"S":"Customer"}}/'; }
go() { renorm export "$@" -m small.json --quiet --workers 1 --now 2026-01-31T12:00:00Z >/dev/null 2>&1; }
shown() { echo "[$?] $(find out/customer -name '*.zst' -exec zstd -dcq {} + | wc -l) customers shown: $(basename -a out/* | paste -sd ' ')"; }
publish() {
    echo "-- $1"
    shift
    renorm publish "$@" 2>&1
    shown
}
customers 200 >good.jsonl
{ customers 99 && echo '{"PK":{"S":"x"},"SK":{"S":"A"},"Type":{"S":"Alien"}}'; } >few.jsonl
mkdir mine && touch mine/file
renorm publish mine 2>&1
echo "[$?] $(ls -A mine)"
go good.jsonl out
publish 'nothing is held' out
go few.jsonl out
echo "-- held"
shown
mkdir away && mv few.jsonl small.json away
publish 'shown without source and model' out
mv away/* .
renorm verify few.jsonl out -m small.json >/dev/null
echo "[$?] verified"
publish 'only once' out
# somebody replaced the manifest since
go good.jsonl out
go few.jsonl out
cp out/manifest.json other.json && echo >>other.json && cp other.json out/manifest.json
publish 'another manifest' out
renorm publish 2>&1
echo "[$?]"
renorm publish null: 2>&1
echo "[$?]"
