#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Keys of all types go back to the service byte for byte as they came from it, in spellings that no
# program would have chosen.
. "$(dirname "$0")/../lib.sh"
. "$TESTS/e2e-aws/live.sh"
. "$TESTS/e2e-aws/fill.sh"

cat >model.json <<'MODEL'
{ "renorm": 1, "name": "t", "entities": { "Thing": { "table": "thing", "backfill": { "G1": "{s}!", "G2": null } } } }
MODEL
spec='{"G1": s("s") + "!", "G2": None}'

# items KIND ODD: keys of that kind; with ODD numbers as the simulator keeps them, not as DynamoDB would.
items() {
    python3 - "$1" "$2" <<'PY'
import base64, json, sys
kind, odd = sys.argv[1:]
for i in range(60):
    blob = base64.b64encode(bytes([i, 0, 255 - i, 13])[:i % 3 + 2]).decode()
    number = [f"{i}.50", f"-{i}1E3", f"+{i}2", f"0{i}3.0", f"{i}4e-7"][i % 5] if odd else f"-{i}.{i + 1}1"
    key = {"S": {"S": f"k\u00e9y \"{i}\" \\/\t\U0001F600"}, "N": {"N": number}, "B": {"B": blob}}
    item = {name: key[k] for name, k in zip(("id", "at"), kind)}
    print(json.dumps({**item, "Type": {"S": "Thing"}, "s": {"S": f"v{i}"}, "G2": {"BOOL": True}}, ensure_ascii=i % 2 == 0))
PY
}

# keys <items >keys: the key attributes, sorted.
keys() { jq -cS '(.Item // .) | {id, at} | with_entries(select(.value))' | sort; }

for kind in S N B SN SB NS NN NB BN BB; do
    items "$kind" odd >items.jsonl
    key=id:${kind:0:1}
    if [ ${#kind} = 2 ]; then key=$key,at:${kind:1:1}; fi
    live_sim --items items.jsonl --key "$key" --capture capture.tsv
    sim_items >before
    want "$spec" <before >right
    fill
    equal "$kind" "$(counts end.json)" "read 60 changed 60 already 0 skipped 0 filtered 0 unrouted 0 conflicted 0 failed 0"
    sim_items >after
    same_items "$kind" after right
    undo
    sim_items >after
    same_items "$kind, undone" after before
    sim_control flush >/dev/null
    grep -P '\tUpdateItem\t' capture.tsv | cut -f4 | jq -c .Key | keys | uniq -c | sed 's/^ *//' >sent
    keys <items.jsonl | sed 's/^/2 /' >wanted
    cmp sent wanted || fail "$kind: keys were not sent as they came"
    stop "$SIM_PID"
    rm -rf state
done

# the same on a real server, which spells numbers its own way
dynalite_start
dynalite_env
for kind in N B NS BN; do
    items "$kind" '' >items.jsonl
    key=id:${kind:0:1}
    if [ ${#kind} = 2 ]; then key=$key,at:${kind:1:1}; fi
    TABLE=keys-$kind
    dynalite_load "$TABLE" "$key" items.jsonl >/dev/null
    ddb_items "$TABLE" >before
    want "$spec" <before >right
    fill
    ddb_items "$TABLE" >after
    same_items "$kind" after right
    undo
    ddb_items "$TABLE" >after
    same_items "$kind, undone" after before
    rm -rf state
done
