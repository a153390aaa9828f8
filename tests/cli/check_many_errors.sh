# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# all of them at once, in the order of the file, each with line and column
cat >model.json <<'M'
{
  "renorm": 1,
  "source": { "key": "PK" },
  "sauce": {},
  "entities": {
    "A": {
      "keys": { "PK": "A#{a}{b}" },
      "table": "t",
      "primary_key": ["nosuch"],
      "columns": { "x": "varchar", "y": 7 },
      "stages": [ { "explod": "L" } ]
    },
    "B": {
      "table": "t",
      "table": "u",
      "references": [ { "columns": ["b"], "to": "nowhere" } ],
      "columns": { "b": "text" }
    }
  }
}
M
renorm check model.json
status=$?
echo '{' >broken.json
renorm check broken.json
echo "[$?]"
echo '{ "renorm": 2 }' >newer.json
renorm check newer.json
echo "[$?]"
exit $status
