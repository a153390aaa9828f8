# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# what each stage does with an item; of two filters the one that filtered is told
cat >model.json <<'M'
{ "renorm": 1, "source": { "key": ["PK"], "indexing": ["PK", "GSI*"] },
  "entities": {
    "Thing": {
      "keys": { "PK": "T#{id}#{part?}" }, "primary_key": "id",
      "columns": { "id": "text", "part": "text", "who": "text", "label": "text", "kind": "text",
                   "address_city": "text", "owner_id": "text", "ref": "text" },
      "stages": [
        { "keys": { "GSI1PK": "REF#{ref}" } },
        { "strip": ["Idx*"] },
        { "drop": ["a", "m.x"] },
        { "rename": { "Name": "who" } },
        { "default": { "kind": "shop" } },
        { "derive": { "label": "{who}#{kind}" } },
        { "flatten": "Address" },
        { "filter": { "kind": "s*" } },
        { "filter": { "drop": { "gone": true } } },
        { "mask": { "fields": ["who"], "method": "blank" } },
        { "explode": { "from": "Tags", "into": "thing_tag" } },
        { "extract": { "into": "owner", "key": "owner_id",
            "columns": { "owner_id": "text", "owner_name": "text" } } },
        { "document": { "from": "Payload", "into": "doc" } }
      ]
    },
    "Pair": {
      "keys": { "PK": "P#{x}#{y}" }, "table": "pair",
      "stages": [ { "pick": ["note"] }, { "link": { "x": "thing", "y": "thing" } }, { "document": { "from": "*", "into": "doc" } } ],
      "columns": { "x": "text", "y": "text" }
    }
  } }
M
one() { renorm explain model.json "$1"; echo "[$?]"; }
one '{"PK":{"S":"T#1"},"Type":{"S":"Thing"},"GSI1PK":{"S":"REF#9"},"Idx1":{"S":"i"},"Name":{"S":"Ada"},"a":{"S":"b"},"Address":{"M":{"City":{"S":"Oslo"}}},"Tags":{"SS":["x","y"]},"owner_id":{"S":"o"},"owner_name":{"S":"Bo"},"Payload":{"M":{"p":{"N":"1"}}}}'
one '{"PK":{"S":"T#2#b"},"Type":{"S":"Thing"},"Name":{"S":"Ada"},"gone":{"BOOL":true}}'
one '{"PK":{"S":"T#3"},"Type":{"S":"Thing"},"kind":{"S":"other"},"GSI1PK":{"S":"odd"}}'
one '{"PK":{"S":"T#3"},"Type":{"S":"Thing"},"kind":{"S":"other"}}'
one '{"PK":{"S":"P#1#2"},"Type":{"S":"Pair"},"note":{"S":"n"},"more":{"S":"m"}}'
