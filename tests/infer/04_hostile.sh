#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Items and names that nobody expects, and none at all: infer ends with a sound model or with a sentence.
. "$(dirname "$0")/../lib.sh"
scenario
bin=$1

# takes NAME: the items of NAME.jsonl make a model that takes all of them.
takes() {
    "$bin" infer "$1.jsonl" -o "$1.json" --quiet
    "$bin" check "$1.json" --quiet
    "$bin" export "$1.jsonl" "$1.out" -m "$1.json" --ttl off --quiet --summary "$1.sum"
    equal "$1" "$(jq -c '[.items.read, .items.rejected, .items.unrouted]' "$1.sum")" "[$(wc -l <"$1.jsonl"),0,0]"
}

: >empty.jsonl
expect_exit 2 "$bin" infer empty.jsonl 2>empty.err
grep -q 'no items to infer' empty.err
expect_exit 2 "$bin" infer 2>none.err
grep -q 'infer needs a source' none.err

cat >names.jsonl <<'END'
{"Item":{"PK":{"S":"A#1"},"SK":{"S":"x"},"a.b":{"S":"1"},"a_b":{"S":"2"},"aB":{"S":"3"},"A B":{"S":"4"},"extra":{"S":"6"},"^up":{"S":"7"}}}
{"Item":{"PK":{"S":"A#2"},"SK":{"S":"x"},"ctid":{"S":"c"},"xmin":{"N":"1"},"a\\b":{"N":"1"},"{part}":{"S":"2"},"*":{"S":"3"},"\u0001":{"S":"4"},"naïve":{"S":"\ud83d\ude00"},"\"":{"S":"quote"}}}
{"Item":{"PK":{"S":"B{x}#2"},"SK":{"S":"*?\\"},"m":{"M":{"a.b":{"S":"x"},"extra":{"S":"y"},"m":{"M":{"^":{"N":"1"}}}}}}}
{"Item":{"PK":{"S":"##"},"SK":{"S":"#"},"pk":{"S":"other"},"sk":{"N":"7"}}}
{"Item":{"PK":{"S":"A##2"},"SK":{"S":"x#"},"Extra":{"L":[]},"EXTRA":{"M":{}}}}
END
takes names

cat >kinds.jsonl <<'END'
{"Item":{"k":{"S":"1"},"v":{"S":"x"},"l":{"L":[{"S":"a"},{"N":"1"}]},"n":{"NULL":true},"b":{"B":"AAEC"}}}
{"Item":{"k":{"S":"2"},"v":{"N":"1"},"l":{"L":[{"M":{"a":{"S":"b"}}}]},"n":{"NULL":true},"b":{"S":"x"}}}
{"Item":{"k":{"S":"3"},"v":{"BOOL":true},"l":{"S":"none"},"n":{"NULL":true},"b":{"N":"1"}}}
{"Item":{"k":{"S":"4"},"v":{"M":{"x":{"B":"AA=="}}},"l":{"SS":["a"]},"b":{"BOOL":false}}}
{"Item":{"k":{"S":"5"},"v":{"L":[{"L":[{"NULL":true}]}]},"l":{"L":[]},"b":{"BS":["AA=="]}}}
{"Item":{"k":{"S":"6"},"v":{"NS":["1"]},"l":{"M":{"a":{"L":[{"M":{}}]}}},"b":{"NULL":true}}}
END
takes kinds

# a type attribute that is no string, a key that is a number here and a text there
cat >types.jsonl <<'END'
{"Item":{"id":{"S":"u1"},"Type":{"S":"User"},"name":{"S":"a"}}}
{"Item":{"id":{"S":"u2"},"Type":{"S":"User"},"name":{"S":"b"}}}
{"Item":{"id":{"S":"o1"},"Type":{"S":"Order"},"total":{"N":"1"}}}
{"Item":{"id":{"S":"o2"},"Type":{"N":"7"},"total":{"N":"2"}}}
{"Item":{"id":{"S":"x2"},"Type":{"NULL":true}}}
END
takes types

# deep maps, deep lists, a long text, many attributes
/usr/bin/python3 - >deep.jsonl <<'END'
import json
v = {"S": "end"}
for n in range(28):
    v = {"M": {"d": v}} if n % 3 else {"L": [v]}
print(json.dumps({"Item": {"PK": {"S": "D#1"}, "SK": {"S": "D"}, "deep": v}}))
print(json.dumps({"Item": {"PK": {"S": "D#2"}, "SK": {"S": "D"}, "long": {"S": "x" * 390000}}}))
for k in range(4):
    print(json.dumps({"Item": {"PK": {"S": f"W#{k}"}, "SK": {"S": "W"}, **{f"a{n}": {"N": str(n)} for n in range(k, 2500, 2)}}}))
END
takes deep

# a file that is there is not written over without being asked
expect_exit 2 "$bin" infer kinds.jsonl -o kinds.json 2>there.err
grep -q 'is there already' there.err
"$bin" infer kinds.jsonl -o kinds.json --force
