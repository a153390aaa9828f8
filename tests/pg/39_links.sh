#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mirrors of a symmetric link that disagree are conflicts, in tables as in files, and verify has them.
# A link of exploded elements refers to both sides, and is the key. A reference that two entities of one table say makes one constraint, and its orphans count once.
. "$(dirname "$0")/lib.sh"
new_db
cat >model.json <<'M'
{ "renorm": 1, "name": "social",
  "source": { "key": ["PK", "SK"] },
  "entities": {
    "user": { "keys": { "PK": "u#{id}", "SK": "A" }, "primary_key": ["id"], "columns": { "id": "text" },
      "stages": [{ "explode": { "from": "Likes", "into": "likes", "stages": [{ "link": { "id": "user", "whom": "user" } }],
        "columns": { "whom": "text", "much": "bigint" } } }] },
    "friend": { "keys": { "PK": "u#{a}", "SK": "f#{b}" },
      "stages": [{ "link": { "a": "user", "b": "user" }, "symmetric": true }],
      "columns": { "a": "text", "b": "text", "since": "bigint", "via": "text" } },
    "post": { "table": "entry", "keys": { "PK": "u#{user_id}", "SK": "p#{entry_id}" },
      "primary_key": ["entry_id"], "references": [{ "columns": ["user_id"], "to": "user" }],
      "columns": { "entry_id": "text", "user_id": "text" } },
    "note": { "table": "entry", "keys": { "PK": "u#{user_id}", "SK": "n#{entry_id}" },
      "primary_key": ["entry_id"], "references": [{ "columns": ["user_id"], "to": "user" }],
      "columns": { "entry_id": "text", "user_id": "text" } } } }
M
cat >items.jsonl <<'I'
{"PK":{"S":"u#1"},"SK":{"S":"A"},"Type":{"S":"user"}}
{"PK":{"S":"u#2"},"SK":{"S":"A"},"Type":{"S":"user"}}
{"PK":{"S":"u#3"},"SK":{"S":"A"},"Type":{"S":"user"},"Likes":{"L":[{"M":{"whom":{"S":"1"},"much":{"N":"5"}}},{"M":{"whom":{"S":"8"}}}]}}
{"PK":{"S":"u#2"},"SK":{"S":"f#1"},"Type":{"S":"friend"},"since":{"N":"2001"},"via":{"S":"work"}}
{"PK":{"S":"u#1"},"SK":{"S":"f#2"},"Type":{"S":"friend"},"since":{"N":"2002"},"via":{"S":"work"}}
{"PK":{"S":"u#3"},"SK":{"S":"f#1"},"Type":{"S":"friend"},"since":{"N":"2003"}}
{"PK":{"S":"u#1"},"SK":{"S":"p#10"},"Type":{"S":"post"}}
{"PK":{"S":"u#9"},"SK":{"S":"p#11"},"Type":{"S":"post"}}
{"PK":{"S":"u#9"},"SK":{"S":"n#12"},"Type":{"S":"note"}}
I
cat >want.txt <<'W'
entry {"entry_id":"10","user_id":"1"}
entry {"entry_id":"11","user_id":"9"}
entry {"entry_id":"12","user_id":"9"}
friend {"a":"1","b":"2","since":2002,"via":"work"}
friend {"a":"1","b":"3","since":2003}
friend_conflict {"a":"1","b":"2","attribute":"since","kept":2002,"lost":2001,"count":1,"source_key":"{\"PK\":{\"S\":\"u#2\"},\"SK\":{\"S\":\"f#1\"}}"}
likes {"id":"3","ordinal":0,"whom":"1","much":5}
likes {"id":"3","ordinal":1,"whom":"8"}
user {"id":"1"}
user {"id":"2"}
user {"id":"3"}
W
for sink in folder "$URL"; do
    export_ok items.jsonl "$sink" -m model.json
    said '1 value of an extracted copy disagreed, see the _conflict tables'
    said '1 symmetric link lacks its other direction'
    expect_exit 0 "$RENORM" verify items.jsonl "$sink" -m model.json >/dev/null
done
said "3 rows have no parent"
folder_rows folder >files.txt
diff -u want.txt files.txt || fail "the rows are others"
pg_rows_of social model.json >tables.txt
diff -u files.txt tables.txt || fail "the tables differ from the files"
q "update social.friend_conflict set lost = '2000'" >/dev/null
expect_exit 1 "$RENORM" verify items.jsonl "$URL" -m model.json >/dev/null

# one reference, said twice
equal "constraints" "$(q "select string_agg(conname, ' ') from pg_constraint
    where conrelid = 'social.entry'::regclass and contype = 'f'")" 'entry_user_id_fkey'
equal "orphans" "$(q 'select constraint_name, count(*) from renorm.orphan group by 1 order by 1')" $'entry_user_id_fkey|2\nlikes_whom_fkey|1'
equal "constraints of the link" "$(q "select string_agg(conname || ' ' || pg_get_constraintdef(oid), ', ' order by conname)
    from pg_constraint where conrelid = 'social.likes'::regclass and contype in ('p', 'f')" | sed 's/REFERENCES social\./to /g')" \
    'likes_id_fkey FOREIGN KEY (id) to "user"(id), likes_pkey PRIMARY KEY (id, whom), likes_whom_fkey FOREIGN KEY (whom) to "user"(id) NOT VALID'
# a link that stands twice in one list is a duplicate
sed 's/"whom":{"S":"8"}/"whom":{"S":"1"}/' items.jsonl >twice.jsonl
export_exit 1 twice.jsonl "$URL" -m model.json
said likes
