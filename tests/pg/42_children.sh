#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Children whose key is their own, at two depths, in one table for two entities: a merge takes away
# those of the items it has, a copy that lost takes its own with it, and verify finds both right. A
# column that one of two entities has not can be NULL, though the other always fills it.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{
  "renorm": 1, "name": "forum", "source": { "type": null, "key": ["PK", "SK"] },
  "entities": {
    "Post": {
      "keys": { "PK": "POST#{post_id}", "SK": "v{version}" }, "table": "post", "primary_key": "post_id",
      "columns": { "post_id": "text", "title": { "type": "text", "not_null": true } },
      "stages": [{ "explode": { "from": "Comments", "into": "comment", "primary_key": "id", "columns": { "id": "text" },
        "stages": [{ "explode": { "from": "Likes", "into": "liked", "value": "by" } }] } }]
    },
    "Poll": {
      "keys": { "PK": "POLL#{post_id}" }, "table": "post", "primary_key": "post_id", "columns": ["post_id"],
      "stages": [{ "explode": { "from": "Remarks", "into": "comment", "primary_key": "id", "columns": { "id": "text" } } }]
    }
  }
}
M
post() { echo "{\"PK\":{\"S\":\"POST#$1\"},\"SK\":{\"S\":\"v$2\"},\"title\":{\"S\":\"t\"},\"Comments\":{\"L\":[{\"M\":{\"id\":{\"S\":\"$3\"},\"Likes\":{\"SS\":[\"$3\",\"x\"]}}}]}}"; }
poll() { echo "{\"PK\":{\"S\":\"POLL#$1\"},\"SK\":{\"S\":\"p\"},\"Remarks\":{\"L\":[{\"M\":{\"id\":{\"S\":\"$2\"}}}]}}"; }
{ post 1 1 a && post 2 1 b && poll 3 c; } >items.jsonl
rows="select (select string_agg(post_id || id, ' ' order by id) from forum.comment),
             (select string_agg(post_id || id || by, ' ' order by id, by) from forum.liked)"
export_ok items.jsonl "$URL" -m model.json
equal "loaded" "$(q "$rows")" "1a 2b 3c|1aa 1ax 2bb 2bx"
"$RENORM" verify items.jsonl "$URL" -m model.json --quiet || fail "verify"

{ post 1 2 d && poll 3 e; } >later.jsonl
export_ok later.jsonl "$URL" -m model.json --mode merge
equal "merged" "$(q "$rows")" "2b 1d 3e|2bb 2bx 1dd 1dx"

{ post 1 1 a && post 1 2 d && poll 3 c; } >twice.jsonl
for keep in first last; do
    export_ok twice.jsonl "$URL" -m model.json --duplicates "$keep" --schema "$keep"
    "$RENORM" verify twice.jsonl "$URL" -m model.json --schema "$keep" --quiet || fail "verify, duplicates $keep"
done
equal "the first" "$(q "${rows//forum/first}")" "1a 3c|1aa 1ax"
equal "the last" "$(q "${rows//forum/last}")" "3c 1d|1dd 1dx"

q "update first.liked set by = 'y' where by = 'x'" >/dev/null
status=0
"$RENORM" verify twice.jsonl "$URL" -m model.json --schema first --quiet >out.txt 2>&1 || status=$?
equal "verify sees a change" "$status" 1
