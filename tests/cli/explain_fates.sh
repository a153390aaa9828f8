# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# one item for each fate, and why
m=$TESTS/data/small.json
one() { renorm explain "$m" "$1" --now 2024-01-01T00:00:00Z; echo "[$?]"; }
one '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"Ada"},"Tags":{"L":[{"S":"x"},{"S":"y"}]},"Odd":{"N":"1"}}'
one '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"ORDER#7"},"Total":{"N":"10.50"}}'
one '{"PK":{"S":"CUSTOMER#2"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Test":{"BOOL":true}}'
one '{"PK":{"S":"CUSTOMER#4"},"SK":{"S":"A"},"Type":{"S":"Customer"},"TTL":{"N":"1700000000"}}'
one '{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Alien"}}'
one '{"PK":{"S":"CUSTOMER#3"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Age":{"S":"old"}}'
one '{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"ORDER#007"},"Type":{"S":"Order"}}'
one '{"PK":{"S":"CUSTOMER#1"},"SK":'
one '{"PK":"CUSTOMER#1"}'
