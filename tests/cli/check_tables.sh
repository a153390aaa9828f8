# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# the tables of a model: entity, child, extract and its conflicts; keys, references, the rest
renorm check "$TESTS/data/small.json"
cat >model.json <<'M'
{
  "renorm": 1,
  "source": { "key": ["PK"] },
  "entities": {
    "Book": {
      "keys": { "PK": "BOOK#{book}" },
      "table": "book",
      "primary_key": ["book"],
      "rest": "drop",
      "stages": [
        { "extract": { "into": "author", "key": ["author_id"], "columns": { "author_id": "text", "author_name": "text" } } }
      ],
      "columns": { "title": { "type": "text", "not_null": true }, "author_id": "text" }
    }
  }
}
M
renorm check model.json
renorm check model.json --quiet
renorm check model.json --ddl | grep -c '^CREATE TABLE'
# each type as a data contract calls it
for type in text integer bigint numeric boolean bytea date timestamp timestamptz uuid jsonb 'timestamptz[]'; do
    echo "{\"renorm\":1,\"source\":{\"key\":[\"PK\"]},\"entities\":{\"E\":{\"table\":\"e\",\"columns\":{\"x\":\"$type\"},\"rest\":\"drop\"}}}" >one.json
    echo "$type: $(renorm check one.json --contract | sed -n 's/^        logicalType: //p')"
done
