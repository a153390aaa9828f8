#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Expressions that are pushed down are ones a real server takes: conditions and filter stages of every
# form, with and without a projection. The rows are those without --push-filter, the items all accounted for.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
dynalite_start
dynalite_env

awk 'BEGIN { for (i = 0; i < 60; i++) {
    printf "{\"PK\":{\"S\":\"P#%d\"},\"SK\":{\"S\":\"S#%d\"},\"size\":{\"N\":\"%d\"},\"m\":{\"M\":{\"in.ner\":{\"S\":\"%s\"}}}", i % 7, i, i % 5, i % 2 ? "odd" : "even"
    if (i % 6) printf ",\"Type\":{\"S\":\"%s\"}", i % 3 ? "Order" : "Other"
    if (i % 4) printf ",\"name\":{\"S\":\"%s%d\"}", i % 8 < 4 ? "a" : "b", i
    if (i % 9 == 0) printf ",\"flag\":{\"BOOL\":%s}", i % 2 ? "true" : "false"
    if (i % 10 == 0) printf ",\"none\":{\"NULL\":true}"
    print "}" } }' >items.jsonl
dynalite_load push PK:S,SK:S items.jsonl >/dev/null

n=0
# try ENTITIES [TOLD]: a model with the rest kept, the next one with it dropped.
try() {
    local left=extra what
    n=$((n + 1))
    if [ $((n % 2)) = 0 ]; then left=drop; fi
    cat >model.json <<MODEL
{ "renorm": 1, "name": "push", "source": { "key": ["PK", "SK"] }, "rest": "$left", "entities": { $1 } }
MODEL
    "$BIN" export dynamodb:push plain -m model.json --quiet --segments 2 --max-unrouted 100% --summary plain.json
    "$BIN" export dynamodb:push pushed -m model.json --quiet --segments 2 --push-filter --max-unrouted 100% --summary pushed.json 2>err.txt ||
        fail "$1: $(cat err.txt)"
    equal "told of $1" "$(cat err.txt)" "${2:-}"
    rows plain | grep -v '^\["unrouted"' >want.rows || true
    rows pushed | grep -v '^\["unrouted"' >got.rows || true
    [ -s want.rows ] || fail "no rows: $1"
    cmp want.rows got.rows || fail "$1 ($left): other rows"
    # what was unrouted may be filtered now, nothing else changes
    what='[.items.read, .items.routed, .items.rejected, .items.filtered + .items.unrouted]'
    equal "$1: counts" "$(jq -c "$what" pushed.json)" "$(jq -c "$what" plain.json)"
    [ -n "${2:-}" ] || [ "$(jq .items.filtered pushed.json)" -gt 0 ] || fail "$1: nothing was left with the server"
    rm -rf plain pushed
}

# sale CONDITION: an entity of that condition; kept STAGES: one of those stages.
columns='"columns": { "name": { "type": "text", "from": "name" }, "size": { "type": "numeric", "from": "size" } }'
sale() { try "\"Sale\": { \"when\": $1, \"table\": \"sale\", $columns }" "${2:-}"; }
kept() { try "\"Order\": { \"table\": \"orders\", \"stages\": [ $1 ], $columns }"; }

sale '{"name": "a1"}'
sale '{"name": ["a1", "a2", "b5"]}'
sale '{"name": "a*"}'
sale '{"size": {">=": 3}}'
sale '{"size": {">": 1, "<": 4}}'
sale '{"flag": true}'
sale '{"none": null}'
sale '{"m.in\\.ner": "odd"}'
sale '{"name": {"missing": true}}'
sale '{"all": [{"name": {"exists": true}}, {"size": 2}]}'
sale '{"any": [{"name": "a1"}, {"all": [{"size": 4}, {"flag": {"missing": true}}]}]}'
sale '{"not": {"name": "a*"}}'
sale '{"not": {"any": [{"name": "a*"}, {"size": 1}]}}'
sale '{"not": {"not": {"all": [{"size": 1}, {"name": {"exists": true}}]}}}'
sale '{"not": {"all": [{"any": [{"size": 1}, {"size": 2}]}, {"name": {"exists": true}}]}}'
sale '{"not": {"name": "*1"}}' "renorm: this model's conditions cannot be pushed to the server"
kept '{"filter": {"size": 1}}'
kept '{"filter": {"size": [1, 2]}}, {"filter": {"drop": {"name": "a*"}}}'
kept '{"filter": {"drop": {"any": [{"size": 1}, {"name": {"missing": true}}]}}}'
kept '{"filter": {"drop": {"name": "*1"}}}, {"filter": {"not": {"size": {"<": 2}}}}'
try "\"Order\": { \"stages\": [ {\"filter\": {\"size\": {\">\": 2}}} ], $columns }, \"Other\": { $columns },
     \"Rest\": { \"when\": {\"all\": [{\"Type\": {\"missing\": true}}, {\"size\": 3}]}, \"stages\": [ {\"filter\": {\"m.in\\\\.ner\": \"odd\"}} ], $columns }"
try "\"Order\": { \"types\": [$(seq -s, 1 120 | sed -E 's/[0-9]+/"T&"/g')], \"stages\": [ {\"filter\": {\"size\": 1}} ], $columns }"
# an entity that takes all: what its filters keep
every() { try "\"Every\": { \"when\": {}, \"table\": \"every\", \"stages\": [ $1 ], $columns }" "${2:-}"; }
every '{"filter": {"size": 1}}'
every '{"filter": {"size": {">": 1, "<": 4}}}, {"filter": {"drop": {"any": [{"name": "a*"}, {"flag": true}]}}}'
every '{"filter": {"name": "*1"}}' "renorm: this model's conditions cannot be pushed to the server"
try "\"Order\": { $columns }, \"Other\": { \"when\": {}, \"stages\": [ {\"filter\": {\"size\": {\">\": 2}}} ], $columns }"
[ "$n" -ge 20 ] || fail "only $n models"
