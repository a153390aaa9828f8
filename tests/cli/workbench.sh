# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# NoSQL Workbench files with several tables: all of them, told once, or the one behind the #
cp "$TESTS/data/workbench.json" shops.json
cat >model.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"] }, "entities": { "C": { "keys": { "PK": "C#{id}" } } } }
M
run() {
    renorm export "$@" out -m model.json 2>&1 | grep -vE '^$|items/s|^table |^(routed|filtered|unrouted|rejected) '
    renorm verify "$1" out -m model.json --quiet 2>&1
    find out/c -name "*.zst" -exec zstd -dcq {} + | sort
}
run shops.json
run "shops.json#shop"
run "shops.json#stock"
run "shops.json#empty" --allow empty,shrink
renorm export "shops.json#shop" "shops.json#stock" out -m model.json --quiet && jq -c .items out/manifest.json
gzip -k shops.json
run "shops.json.gz#stock"
echo "-- none of that name, no such file, no tables"
for source in "shops.json#stocks" "shop.json#stock" "model.json#stock"; do renorm export "$source" out -m model.json; done
echo "-- a file may be called so"
echo '{"PK":{"S":"C#9"}}' >"a#stock"
run "a#stock"
echo "-- another table of the file is another source"
renorm export "shops.json#shop" cut -m model.json --max-unrouted 0 --quiet
jq -r .source cut/manifest.json
