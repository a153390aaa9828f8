# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# on a terminal explain escapes what commands it, or turns the direction of writing; a file gets it as it is
cp "$TESTS/data/small.json" .
item=$(printf '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"a\342\200\256b\302\233c\177d \303\251\342\202\254"}}')
python3 "$TESTS/e2e-aws/typist.py" never "" renorm explain small.json "$item" | tr -d '\r'
renorm explain small.json "$item" | grep -c "$(printf 'a\342\200\256b\302\233c\177d')"
# and so do verify, and what else shows names and values of the data
echo "$item" >items.jsonl
renorm export items.jsonl out -m small.json --quiet
sed "s/CUSTOMER#1/&$(printf '\342\200\256b\302\233c\177d')/" items.jsonl >other.jsonl
python3 "$TESTS/e2e-aws/typist.py" never "" renorm verify other.jsonl out -m small.json | tr -d '\r'
renorm verify other.jsonl out -m small.json 2>/dev/null | grep -c "$(printf '\302\233c\177d')"
mv items.jsonl "$(printf 'x\342\200\256.jsonl')"
renorm export x*.jsonl named -m small.json --quiet
python3 "$TESTS/e2e-aws/typist.py" never "" renorm status named | grep -a source | tr -d '\r'
