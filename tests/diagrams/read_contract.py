# SPDX-License-Identifier: MIT
"""Prints what a data contract says as read.js does of diagrams. Usage: read_contract.py FILE"""
import json
import re
import sys

import yaml


def plain(text):
    text = re.sub("[\x00-\x20\u2028]+", " ", text)
    return re.sub("[\x7f-\x9f\ufffd]", "?", text).strip(" ")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        contract = yaml.safe_load(file)
    names, nullable, keys = {}, {}, {}
    for table in contract["schema"]:
        for column in table["properties"]:
            for at in (
                f"{table['name']}.{column['name']}",
                f"schema/{table.get('id')}/properties/{column.get('id')}",
            ):
                names[at] = (table["name"], column["name"])
            nullable[table["name"], column["name"]] = not column.get("required")
        marked = [c for c in table["properties"] if c.get("primaryKey")]
        marked.sort(key=lambda c: c["primaryKeyPosition"])
        keys[table["name"]] = [c["name"] for c in marked]
    tables, references = {}, []
    for table in contract["schema"]:
        tables[plain(table["name"])] = {
            "columns": [[plain(c["name"]), c["physicalType"]] for c in table["properties"]],
            "key": [plain(name) for name in keys[table["name"]]],
        }
        for r in table.get("relationships", []):
            start, end = ([e] if isinstance(e, str) else e for e in (r["from"], r["to"]))
            columns = [names[at] for at in start]
            key = keys[table["name"]]
            text = f"{table['name']} > {names[end[0]][0]}: {', '.join(c for _, c in columns)}"
            if any(nullable[c] for c in columns):
                text += " optional"
            if key and set(key) <= {c for _, c in columns}:
                text += " single"
            references.append(plain(text))
    references.sort()
    both = {"tables": tables, "references": references}
    print(json.dumps(both, ensure_ascii=False, separators=(",", ":")))


main()
