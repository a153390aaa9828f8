# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# on a terminal explain escapes what commands it, or turns the direction of writing; a file gets it as it is
cp "$TESTS/data/small.json" .
item=$(printf '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"a\342\200\256b\302\233c\177d \303\251\342\202\254"}}')
python3 "$TESTS/e2e-aws/typist.py" never "" renorm explain small.json "$item" | tr -d '\r'
renorm explain small.json "$item" | grep -c "$(printf 'a\342\200\256b\302\233c\177d')"
