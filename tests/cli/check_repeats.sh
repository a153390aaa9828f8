# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# keys that several items have are told before anything is loaded
cp "$TESTS/data/small.json" .
customers() { seq "$1" "$2" | sed 's/.*/{"PK":{"S":"CUSTOMER#&"},"SK":{"S":"A"},"Type":{"S":"Customer"}}/'; }
mkdir in && customers 1 3000 >in/a.jsonl && customers 3000 3002 >in/b.jsonl && customers 17 17 >in/c.jsonl
told() { grep 'another row' || echo "nothing told"; }
renorm check small.json in | told
renorm export in out -m small.json --dry-run | told
renorm check small.json in --no-examples | told
renorm export in out -m small.json | told
rm in/b.jsonl in/c.jsonl
renorm check small.json in | told
# copies of one row are no such keys
cp "$TESTS/../examples/10_duplicated_data/"{items.jsonl,model.json} .
renorm check model.json items.jsonl | told
