#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the tables of an export with expected/SET/TABLE.csv: the same columns, the same rows in
any order, NULL and missing both empty. Usage: compare.py EXPECTED SET OUT"""

import csv
import glob
import json
import os
import subprocess
import sys


def want_rows(path):
    with open(path, newline="", encoding="utf-8") as f:
        rows = list(csv.reader(f))
    return rows[0], sorted(tuple(r) for r in rows[1:])


def cell(value):
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def got_rows(folder, columns):
    """Numbers are compared by their text."""
    rows = []
    for part in glob.glob(folder + "/part-*.jsonl.zst"):
        text = subprocess.run(["zstd", "-dcq", part], check=True, stdout=subprocess.PIPE).stdout
        for line in text.decode("utf-8").split("\n"):
            if not line:
                continue
            row = json.loads(line, parse_float=str, parse_int=str)
            unknown = set(row) - set(columns)
            if unknown:
                raise SystemExit(f"{folder}: columns {sorted(unknown)} were not expected: {line}")
            rows.append(tuple(cell(row.get(c)) for c in columns))
    return sorted(rows)


def main(expected, name, out):
    bad = False
    with open(expected + "/tables.json", encoding="utf-8") as f:
        tables = json.load(f)[name]
    for table, facts in tables.items():
        columns, want = want_rows(f"{expected}/{name}/{table}.csv")
        if columns != [c[0] for c in facts["columns"]] or len(want) != facts["rows"]:
            raise SystemExit(f"{name}/{table}.csv and tables.json differ")
        got = got_rows(f"{out}/{table}", columns)
        print(f"{table}: {len(got)} rows, {len(want)} expected")
        for row in sorted(set(want) ^ set(got))[:20]:
            print("  missing:" if row in set(want) else "  too many:", row)
        bad = bad or got != want
    others = {os.path.basename(os.path.dirname(p)) for p in glob.glob(out + "/*/part-*")} - set(tables)
    if others:
        print(f"rows in tables that were not expected: {sorted(others)}")
    return 1 if bad or others else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
