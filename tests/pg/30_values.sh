#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016
# Values that a file takes and a database does not: both sinks refuse the same items.
. "$(dirname "$0")/lib.sh"
new_db

# both STATUS FILE MODEL: both sinks end so, with the same rejects and the same rows
both() {
    rm -rf out
    export_exit "$1" "$2" out -m "$3" --max-rejects 100
    zstd -dcq out/rejects/*.zst 2>/dev/null | grep -o '"reason":"[^"]*"' | sort >want.txt
    export_exit "$1" "$2" "$URL" -m "$3" --max-rejects 100 --schema twin
    q "select '\"reason\":\"' || reason || '\"' from renorm.reject where run = (select max(run) from renorm.run) order by 1" >got.txt
    diff -u want.txt got.txt || fail "other rejects: $2"
    diff -u <(folder_rows out) <(pg_rows_of twin "$3") || fail "other rows: $2"
}

# NUL bytes where no column's cast sees them
cat >nul.json <<'M'
{ "renorm": 1, "name": "nul", "source": { "key": ["PK"] },
  "entities": {
    "Doc": { "when": { "PK": "D*" }, "table": "doc", "primary_key": ["pk"],
      "stages": [ { "document": { "from": "*", "into": "all" } } ],
      "columns": { "pk": { "type": "text", "from": "PK" } } },
    "Thing": { "when": { "PK": "*" }, "table": "thing", "primary_key": ["pk"],
      "stages": [ { "explode": { "from": "L", "into": "thing_part", "columns": { "v": "text" } } },
                  { "extract": { "into": "copy", "key": "c", "rule": "latest", "by": "at",
                                 "columns": { "c": "text", "name": "text" } } } ],
      "columns": { "pk": { "type": "text", "from": "PK" } } } } }
M
cat >nul.jsonl <<'I'
{"PK":{"S":"1"},"l":{"S":"\u0000"}}
{"PK":{"S":"2"},"l\u0000":{"S":"x"}}
{"PK":{"S":"3"},"m":{"M":{"a":{"L":[{"S":"x\u0000y"}]}}}}
{"PK":{"S":"4"},"L":{"L":[{"M":{"v":{"S":"1"},"w":{"S":"\u0000"}}}]}}
{"PK":{"S":"5"},"c":{"S":"c1"},"name":{"S":"n"},"at":{"S":"2020\u0000"}}
{"PK":{"S":"6"},"c":{"S":"c1"},"name":{"S":"n"},"at":{"S":"2021"},"l":{"S":"\\u0000"}}
{"PK":{"S":"D7"},"x":{"S":"\u0000"}}
{"PK":{"S":"D8"},"x":{"S":"fine"}}
{"PK":{"S":"9\u0000"}}
I
both 0 nul.jsonl nul.json
equal "reasons" "$(q "select reason, count(*) from renorm.reject group by 1 order by 1")" "cast|1
nul|6"
equal "rows" "$(q "select count(*) from twin.thing")|$(q "select count(*) from twin.doc")" "1|1"

# rows at the edge of what a page holds
wide_model() { # COLUMNS TYPE
    awk -v n="$1" -v t="$2" 'BEGIN {
        printf "{ \"renorm\": 1, \"name\": \"wide\", \"source\": { \"key\": [\"PK\"] }, \"entities\": { \"W\": { \"when\": { \"PK\": \"*\" }, \"table\": \"w\", \"rest\": \"drop\", \"columns\": {"
        for (i = 1; i <= n; i++) printf "%s\"c%d\": \"%s\"", (i > 1 ? "," : ""), i, t
        print "} } } }"
    }'
}
wide_item() { # KEY COLUMNS TAG VALUE
    awk -v k="$1" -v n="$2" -v t="$3" -v v="$4" 'BEGIN {
        printf "{\"PK\":{\"S\":\"%s\"}", k
        for (i = 1; i <= n; i++) printf ",\"c%d\":{\"%s\":\"%s\"}", i, t, v
        print "}"
    }'
}
wide_model 1599 bigint >model.json
{ wide_item a 990 N 7; wide_item b 991 N 7; wide_item c 992 N 7; wide_item d 1499 N 7; } >wide.jsonl
both 0 wide.jsonl model.json
equal "bigints that fit" "$(q "select count(*) from twin.w")|$(q "select count(*) from renorm.reject where reason = 'row-size'")" "2|2"
q "drop schema twin cascade" >/dev/null
long=$(head -c 150 /dev/urandom | base64 -w0)
wide_model 460 text >model.json
{ wide_item a 448 S "$long"; wide_item b 449 S "$long"; wide_item c 460 S "$long"; wide_item d 336 S 12345678901234567890123; wide_item e 337 S 12345678901234567890123; } >wide.jsonl
both 0 wide.jsonl model.json
equal "texts that fit" "$(q "select count(*) from twin.w")|$(q "select count(*) from renorm.reject where reason = 'row-size'")" "2|5"
wide_model 1600 bigint >model.json
"$RENORM" check model.json >check.txt 2>&1 && fail "1600 columns were not refused"
grep -q 'has 1600 columns, PostgreSQL takes 1599' check.txt || fail "check: $(cat check.txt)"

# what a database reduces is spelt as in the files: copies that disagree, of types with a spelling of their own
cat >copies.json <<'M'
{ "renorm": 1, "name": "copies", "source": { "key": ["PK"] },
  "entities": { "C": { "when": { "PK": "*" }, "rest": "drop", "table": "c", "primary_key": ["pk"],
      "stages": [ { "extract": { "into": "k", "key": "k", "rule": "majority", "columns": {
          "k": "text", "at": "timestamp", "ats": "timestamp[]",
          "seen": { "type": "timestamptz[]", "zone": "UTC" }, "days": "date[]", "blobs": "bytea[]",
          "flags": "boolean[]", "ids": "uuid[]", "whole": "bigint[]" } } } ],
      "columns": { "pk": { "type": "text", "from": "PK" } } } } }
M
cat >copies.jsonl <<'I'
{"PK":{"S":"1"},"k":{"S":"a"},"at":{"S":"2024-02-29T00:00"},"ats":{"L":[{"S":"2024-02-29"},{"NULL":true}]},"seen":{"L":[{"S":"2024-02-29 00:00:00.5"},{"NULL":true}]},"days":{"L":[{"S":"2024-02-29"}]},"blobs":{"L":[{"B":"AQ=="},{"NULL":true}]},"flags":{"L":[{"BOOL":true}]},"ids":{"L":[{"S":"01234567-89ab-cdef-0123-456789abcdef"}]},"whole":{"L":[{"N":"9007199254740993"}]}}
{"PK":{"S":"2"},"k":{"S":"a"},"at":{"S":"2024-02-29T00:00:00.1"},"ats":{"L":[]},"seen":{"L":[]},"days":{"L":[]},"blobs":{"L":[]},"flags":{"L":[{"NULL":true}]},"ids":{"L":[]},"whole":{"L":[]}}
{"PK":{"S":"3"},"k":{"S":"b"},"ats":{"L":[]},"seen":{"L":[]},"days":{"NULL":true},"blobs":{"L":[]},"flags":{"NULL":true},"whole":{"L":[{"N":"-1"},{"NULL":true}]}}
{"PK":{"S":"4"},"k":{"S":"b"},"days":{"SS":["2024-02-30"]}}
I
q "drop schema twin cascade" >/dev/null
both 0 copies.jsonl copies.json
equal "copies" "$(q "select count(*) from twin.k")|$(q "select count(*) from twin.k_conflict")" "2|8"
"$RENORM" verify copies.jsonl "$URL" -m copies.json --schema twin --quiet
