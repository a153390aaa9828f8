#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The designs of this folder through `renorm infer`, judged without anything from outside the repository.

  own.py --renorm BIN --work DIR [NAME-PART...]

Of each expected table: is there one with its rows (found by content, never by name), its columns, its key, its references?
The share of these that was found, and what was too much, make a figure from 0 to 1, which must reach the design's floor
(floors.json). Items rejected or unrouted are a failure whatever the figure is. A line for each miss."""

import argparse
import base64
import glob
import json
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import datetime, timezone
from decimal import Decimal, InvalidOperation

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import designs  # noqa: E402
from designs import kit  # noqa: E402

WEIGHT = {"table": 2, "column": 1, "key": 3, "reference": 4}


def plain(v):
    """One spelling for one value: numbers by value, times as UTC, lists sorted, uuids and booleans in lower case."""
    if v is None:
        return None
    if isinstance(v, bytes):
        return base64.b64encode(v).decode()
    if isinstance(v, (list, tuple)):
        return tuple(sorted(map(plain, v)))
    if isinstance(v, dict):
        return json.dumps(v, sort_keys=True, default=str)
    text = str(v).lower() if isinstance(v, bool) else str(v)
    if text[:1] in "[{":
        try:
            return plain(json.loads(text, parse_float=Decimal, parse_int=Decimal))
        except ValueError:
            return text
    if re.fullmatch(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.0+)?(Z|\+00(:00)?)", text):
        return text[:10] + "T" + text[11:19] + "Z"
    try:
        number = Decimal(text)
        return str(number.normalize() + 0) if number.is_finite() and text[-1:].isdigit() else text
    except InvalidOperation:
        return text


def instant(v):
    """An ISO time as the epochs that may stand for it: seconds, milliseconds."""
    m = isinstance(v, str) and re.fullmatch(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?Z", v)
    if not m:
        return (v, v)
    s = int(datetime.strptime(m[1] + "Z", "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=timezone.utc).timestamp())
    return (plain(s), plain(s * 1000 + int((m[2] or "0").ljust(3, "0"))))


def run(command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def answer(renorm, items, model, work):
    """name -> (columns, rows, key), references, and the counts of the balance sheet."""
    out = os.path.join(work, "out")
    done = run([renorm, "export", items, out, "-m", model, "--quiet", "--ttl", "off", "--restart", "--max-rejects", "100%", "--max-unrouted", "100%"])
    if not os.path.exists(out + "/manifest.json"):
        raise RuntimeError("export: " + done.stderr.decode()[-400:])
    with open(out + "/manifest.json", encoding="utf-8") as f:
        manifest = json.load(f)
    tables = {}
    for t in manifest["tables"]:
        rows = []
        for part in sorted(glob.glob(f"{glob.escape(out)}/{t.get('folder', t['name'])}/part-*.zst")):
            text = subprocess.run(["zstd", "-dcq", part], check=True, stdout=subprocess.PIPE).stdout.decode()
            rows += [json.loads(x, parse_float=Decimal, parse_int=Decimal) for x in text.split("\n") if x]
        columns = [c["name"] for c in t["columns"] if any(r.get(c["name"]) is not None for r in rows)]
        if rows and not {"attribute", "kept", "lost"} <= set(columns):
            tables[t["name"]] = (columns, [{c: plain(r.get(c)) for c in columns} for r in rows], t.get("key") or [])
    return tables, references_of(renorm, model), manifest["items"]


def references_of(renorm, model):
    name = r'"((?:[^"]|"")*)"'
    ddl = run([renorm, "check", model, "--ddl"]).stdout.decode()
    found = re.findall(rf"ALTER TABLE {name}\.{name} ADD CONSTRAINT {name} FOREIGN KEY \(([^)]*)\) REFERENCES {name}\.{name}", ddl)
    return [(table, tuple(re.findall(r'"([^"]*)"', columns)), to) for _, table, _, columns, _, to in found]


class Judge:
    def __init__(self):
        self.hit = self.want = self.got = 0.0
        self.misses = []

    def decide(self, kind, right, want, got, text):
        self.hit += WEIGHT[kind] * bool(right)
        self.want += WEIGHT[kind] * want
        self.got += WEIGHT[kind] * got
        if not right:
            self.misses.append(f"{kind}: {text}")

    def figure(self):
        return 2 * self.hit / (self.want + self.got) if self.want + self.got else 0.0


def same_column(want, got):
    """Two columns hold the same values, a time perhaps as an epoch."""
    a, b = Counter(v for v in want if v is not None), Counter(v for v in got if v is not None)
    if a == b:
        return True
    return any(Counter(instant(v)[i] for v in a.elements()) == Counter(instant(v)[i] for v in b.elements()) for i in (0, 1))


def pair_up(expected, tables):
    """expected name -> (name, {expected column: column}): the table with most of the columns, the same number of rows first."""
    ranked = []
    for t in expected:
        rows = [{c: plain(r[c]) for c in t.columns} for r in t.rows]
        for name, (columns, there, _) in tables.items():
            found, taken = {}, set()
            for c in t.columns:
                same = [x for x in columns if x not in taken and same_column([r[c] for r in rows], [r[x] for r in there])]
                same.sort(key=lambda x: (x != c, x))
                if same:
                    found[c] = same[0]
                    taken.add(same[0])
            if found:
                ranked.append((len(t.rows) == len(there), len(found) / len(t.columns), name == t.name, t.name, name, found))
    pairs, used = {}, set()
    for _, _, _, want, got, found in sorted(ranked, key=lambda x: (x[:3], x[3], x[4]), reverse=True):
        if want not in pairs and got not in used:
            pairs[want] = (got, found)
            used.add(got)
    return pairs


def judge_table(j, t, pair, tables):
    if not pair:
        if not t.optional:
            for kind, n in (("table", 1), ("key", 1), ("column", len(t.columns)), ("reference", len(t.refs))):
                j.decide(kind, False, n, 0, f"{t.name}: missing")
        return
    name, found = pair
    columns, rows, key = tables[name]
    if t.optional:
        return
    j.decide("table", len(rows) == len(t.rows), 1, 1, f"{t.name} is {name} with {len(rows)} rows, expected {len(t.rows)}")
    for c, words in t.columns.items():
        if "optional" not in words.split():
            j.decide("column", c in found, 1, c in found, f"{t.name}.{c}")
    for c in columns:
        if c not in found.values():
            j.decide("column", c == "extra", 0, 1, f"{t.name}: column {c} was not expected")
    back = {v: k for k, v in found.items()}
    meant = {back.get(c) for c in key}
    right = None not in meant and any(meant and meant <= set(k) for k in [t.pk] + t.pk_any)
    j.decide("key", right, 1, bool(key), f"{t.name}: ({', '.join(key)}), expected ({', '.join(t.pk)})")


def judge_references(j, t, pairs, references, expected):
    pair = pairs.get(t.name)
    if not pair:
        return
    name, found = pair
    back = {v: k for k, v in found.items()}
    left = [(frozenset(back.get(c) for c in cols), to) for table, cols, to in references if table == name]
    for f in kit.references(t, expected):
        target = pairs.get(f["to"], (None,))[0]
        same = next((x for x in left if x[0] == frozenset(f["columns"]) and x[1] == target), None)
        if same:
            left.remove(same)
        if not f["optional"]:
            j.decide("reference", same, 1, same is not None, f"{t.name} ({', '.join(f['columns'])}) -> {f['to']}: missing")
    for cols, to in left:
        j.decide("reference", False, 0, 1, f"{t.name}: ({', '.join(map(str, cols))}) -> {to} was not expected")


def judge(name, renorm, work):
    folder = os.path.join(work, name)
    designs.write(name, folder)
    items, model = os.path.join(folder, "items.jsonl"), os.path.join(folder, "inferred.json")
    done = run([renorm, "infer", items, "-o", model, "--force"] if os.path.exists(model) else [renorm, "infer", items, "-o", model])
    j = Judge()
    if done.returncode:
        j.misses.append(f"infer: status {done.returncode}: {done.stderr.decode()[-300:]}")
        return j, False
    tables, references, counts = answer(renorm, items, model, folder)
    expected = kit.make(name).tables
    pairs = pair_up(expected, tables)
    for t in expected:
        judge_table(j, t, pairs.get(t.name), tables)
    for t in expected:
        if not t.optional:
            judge_references(j, t, pairs, references, expected)
    for extra in set(tables) - {p[0] for p in pairs.values()}:
        j.decide("table", False, 0, 1, f"{extra} was not expected ({len(tables[extra][1])} rows)")
    lost = {k: counts[k] for k in ("rejected", "unrouted") if counts[k]}
    if lost:
        j.misses.append(f"items: {lost}")
    return j, not lost


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--renorm", required=True)
    p.add_argument("--work", required=True)
    p.add_argument("names", nargs="*")
    a = p.parse_args()
    with open(os.path.join(HERE, "floors.json"), encoding="utf-8") as f:
        floors = json.load(f)
    bad = 0
    for name in sorted(designs.DESIGNS):
        if a.names and not any(x in name for x in a.names):
            continue
        j, whole = judge(name, a.renorm, a.work)
        good = whole and j.figure() >= floors.get(name, 1.0)
        bad += not good
        print(f"{'ok' if good else 'not ok'} {name} {j.figure():.3f} (floor {floors.get(name, 1.0)})")
        for miss in j.misses:
            print(f"    {miss}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
