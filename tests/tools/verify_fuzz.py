#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random models and items, exported to a folder and to PostgreSQL, and judged by an oracle that shares no code with
renorm: both hold exactly the rows that it computes, `verify` says equal, and after a random change of the target different.

Usage: verify_fuzz.py BIN URL CASES [SEED]     (in a folder of its own; a failure leaves case-SEED/ there)

A model has entities with duplicate keys, children and grandchildren, copies extracted from items and from elements, into
a table of its own and into an entity's, items that are merged, and symmetric links.
"""
import collections
import glob
import json
import os
import random
import subprocess
import sys

RULES = ("first", "last", "latest", "majority")
NAMES = ("x", "y", "z")


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)


# ---- models ------------------------------------------------------------------------------------------------------------

def entity(letter, stages, **more):
    return {"keys": {"PK": f"{letter.upper()}#{{{letter}_id}}", "SK": "S#{x}"}, "table": letter,
            "primary_key": f"{letter}_id", "stages": stages,
            "columns": {f"{letter}_id": "text", "x": "text", "name": "text", "n": "numeric"}, **more}


def make_model(r):
    f = {name: r.random() < 0.6 for name in ("tags", "lines", "parts", "b", "line_b", "c", "b_tags", "link", "merge", "d", "l_lines")}
    f["c_rule"], f["merge_rule"] = r.choice(RULES), r.choice(RULES[:2] + RULES[3:])
    into_b = {"extract": {"into": "b", "key": "b_id", "columns": {
        "b_id": {"type": "text", "from": "BId"}, "name": {"type": "text", "from": "BName"},
        "n": {"type": "numeric", "from": "BN"}}}}
    tags = {"explode": {"from": "Tags", "into": "a_tag"}}
    parts = {"explode": {"from": "Parts", "into": "a_part", "ordinal": "part", "columns": {"p": "text"}}}
    lines = {"explode": {"from": "Lines", "into": "a_line", "columns": {"sku": "text"},
                         "stages": [parts] * f["parts"] + [into_b] * f["line_b"]}}
    into_c = {"extract": {"into": "c", "key": "c_id", "rule": f["c_rule"], "columns": {
        "c_id": {"type": "text", "from": "CId"}, "name": {"type": "text", "from": "CName"}},
        **({"by": "At"} if f["c_rule"] == "latest" else {})}}
    entities = {"A": entity("a", [tags] * f["tags"] + [lines] * f["lines"] + [into_b] * f["b"] + [into_c] * f["c"],
                            rest="drop"),
                "B": entity("b", [{"explode": {"from": "Tags", "into": "b_tag"}}] * f["b_tags"], rest="drop")}
    if f["d"]:  # a second entity of the table, with children of its own
        entities["D"] = {**entity("b", [{"explode": {"from": "Lines", "into": "d_line", "columns": {"sku": "text"}}}],
                                  rest="drop"), "keys": {"PK": "D#{b_id}", "SK": "S#{x}"}}
    if f["merge"]:
        for name, part in (("M", "mx"), ("N", "nx")):
            entities[name] = {"keys": {"PK": "M#{m_id}", "SK": f"{name}#{{{part}}}"}, "table": "m", "primary_key": "m_id",
                              "merge": f["merge_rule"], "rest": "drop",
                              "columns": {"m_id": "text", part: "text", "name": "text", "n": "numeric"}}
    if f["link"]:
        l_parts = {"explode": {**parts["explode"], "into": "l_part"}}
        l_lines = {"explode": {"from": "Lines", "into": "l_line", "columns": {"sku": "text"}, "stages": [l_parts]}}
        entities["L"] = {"keys": {"PK": "L#{one}", "SK": "L#{other}"}, "table": "l", "rest": "drop",
                         "stages": [{"link": {"one": "b", "other": "b"}, "symmetric": True}] + [l_lines] * f["l_lines"],
                         "columns": {"one": "text", "other": "text", "note": "text"}}
    return f, {"renorm": 1, "name": "fuzz", "source": {"type": "Type", "key": ["PK", "SK"], "indexing": ["PK", "SK"]},
               "entities": entities}


# ---- items -------------------------------------------------------------------------------------------------------------

def some(r, item, name, values):
    """A value, a NULL, or no such attribute."""
    what = r.random()
    if what < 0.7:
        item[name] = r.choice(values)
    elif what < 0.8:
        item[name] = None


def copies_of_b(r, item):
    if r.random() < 0.7:
        item["BId"] = str(r.randrange(4))
        some(r, item, "BName", NAMES)
        some(r, item, "BN", (1, 2, 3))


def make_a(r):
    item = {"Type": "A", "a_id": str(r.randrange(4)), "x": str(r.randrange(100))}
    some(r, item, "Name", NAMES)
    some(r, item, "N", (1, 2, 3))
    if r.random() < 0.6:
        item["Tags"] = [r.choice(NAMES) for _ in range(r.randrange(1, 4))]
    if r.random() < 0.6:
        item["Lines"] = []
        for _ in range(r.randrange(1, 4)):
            line = {"Sku": r.choice(NAMES)}
            copies_of_b(r, line)
            if r.random() < 0.6:
                line["Parts"] = [{"P": r.choice(NAMES)} for _ in range(r.randrange(1, 3))]
            item["Lines"].append(line)
    copies_of_b(r, item)
    if r.random() < 0.7:
        item["CId"] = str(r.randrange(3))
        some(r, item, "CName", NAMES)
        some(r, item, "At", (1, 2, 3))
    return item


def part_of_a(r, letter, *names):
    return {"Type": letter, **{k: v for k, v in make_a(r).items() if k in ("a_id", "x", *names)}}


def make_items(r, f, mirrored):
    makers = [make_a, lambda r: part_of_a(r, "B", "Name", "N", "Tags")]
    if f["d"]:
        makers.append(lambda r: part_of_a(r, "D", "Name", "N", "Lines"))
    if f["merge"]:
        makers.append(lambda r: part_of_a(r, r.choice("MN"), "Name", "N"))
    items, seen = [], set()
    for _ in range(r.randrange(2, 30)):
        item = r.choice(makers)(r)
        if key_of(item) not in seen:
            seen.add(key_of(item))
            items.append(item)
    for _ in range(r.randrange(6) if f["link"] else 0):
        one, other = str(r.randrange(4)), str(r.randrange(4))
        note = {} if r.random() < 0.3 else {"Note": r.choice(NAMES)}
        pair = [(one, other)] + ([(other, one)] if r.random() < 0.6 else [])
        for a, b in pair:
            own = note if mirrored else {"Note": r.choice(NAMES)} if note else {}
            item = {"Type": "L", "one": a, "other": b, **own, **part_of_a(r, "L", "Lines")}
            del item["a_id"], item["x"]
            if key_of(item) not in seen and (b, a) not in [(i.get("one"), i.get("other")) for i in items] or (
                    key_of(item) not in seen and len(pair) == 2):
                seen.add(key_of(item))
                items.append(item)
    r.shuffle(items)
    return items


def key_of(item):
    t = item["Type"]
    if t == "L":
        return f"L#{item['one']}", f"L#{item['other']}"
    if t in "MN":
        return f"M#{item['a_id']}", f"{t}#{item['x']}"
    return f"{t}#{item['a_id']}", f"S#{item['x']}"


def typed(v):
    if v is None:
        return {"NULL": True}
    if isinstance(v, str):
        return {"S": v}
    if isinstance(v, int):
        return {"N": str(v)}
    if isinstance(v, list):
        return {"L": [typed(e) for e in v]}
    return {"M": {k: typed(e) for k, e in v.items()}}


def as_dynamodb(item):
    pk, sk = key_of(item)
    return {"PK": typed(pk), "SK": typed(sk),
            **{k: typed(v) for k, v in item.items() if k not in ("a_id", "x", "one", "other")}}


# ---- the oracle --------------------------------------------------------------------------------------------------------

def source_key(item):
    return json.dumps(dict(zip(("PK", "SK"), ({"S": k} for k in key_of(item)))), separators=(",", ":"))


def winner(rule, copies):
    """copies: (value, source key, order, mirror) of one attribute, without NULLs. The value that wins."""
    sets = collections.defaultdict(list)
    for c in copies:
        sets[c[0]].append(c)

    def rank(value):
        of = sets[value]
        smallest = min(c[1] for c in of)
        text = json.dumps(value)
        if rule == "last":
            return reverse(max(c[1] for c in of)), smallest, text
        if rule == "latest":
            top = max((c[2] if c[2] is not None else 0) for c in of)
            return -top, min(c[1] for c in of if (c[2] or 0) == top), smallest, text
        if rule == "majority":
            return -len(of), smallest, text
        if rule == "mirror":
            return not any(not c[3] for c in of), smallest, text
        return smallest, text
    return min(sets, key=rank)


def reverse(text):
    return [-ord(c) for c in text] + [1]


def reduce_copies(rule, copies, columns, owners):
    """copies: (key, values, source key, order, mirror). Rows, and conflicts as (key, attribute, kept, lost, count)."""
    by_key = collections.defaultdict(list)
    for c in copies:
        by_key[c[0]].append(c)
    rows, conflicts = [], []
    for key, of in by_key.items():
        row = owners.get(key)
        if row is None:
            row = {}
            for column in columns:
                said = [(c[1][column], *c[2:]) for c in of if c[1].get(column) is not None]
                row[column] = winner(rule, said)if said else None
            rows.append((key, row))
        for column in columns:
            lost = collections.Counter(c[1][column] for c in of if c[1].get(column) is not None)
            for value, n in lost.items():
                if value != row.get(column):
                    conflicts.append((key, column, row.get(column), value, n))
    return rows, conflicts


class Oracle:
    def __init__(self, f, items, keep):
        """keep: None, "first" or "last" of the rows with one key."""
        self.f, self.items, self.keep = f, items, keep
        self.tables = collections.defaultdict(list)

    def chosen(self, rows):
        """rows: (key, row) in their order. One for each key, or all."""
        if not self.keep:
            return rows
        kept = {}
        for i, (key, _) in enumerate(rows):
            if key not in kept or self.keep == "last":
                kept[key] = i
        return [rows[i] for i in sorted(kept.values())]

    def entities(self, letters):
        mine = [(i["a_id"], i) for i in self.items if i["Type"] in letters]
        return [item for _, item in self.chosen(mine)]

    def put(self, table, rows):
        for _, row in self.chosen(rows):
            self.tables[table].append(row)

    def children(self, letter, name, items):
        lower, rows = letter.lower(), collections.defaultdict(list)
        for item in items:
            top = {name: item["a_id"]}
            for value in item.get("Tags", ()):
                rows["tag"].append(((item["a_id"], value), {**top, "value": value}))
            for i, line in enumerate(item.get("Lines", ())):
                rows["line"].append(((item["a_id"], i), {**top, "ordinal": i, "sku": line["Sku"]}))
                for k, part in enumerate(line.get("Parts", ())):
                    rows["part"].append(((item["a_id"], i, k), {**top, "ordinal": i, "part": k, "p": part["P"]}))
        if self.f["tags"] if letter == "A" else self.f["b_tags"]:
            self.put(f"{lower}_tag", rows["tag"])
        if self.f["lines"] if letter == "A" else letter == "D":
            self.put(f"{lower}_line", rows["line"])
        if letter == "A" and self.f["lines"] and self.f["parts"]:
            self.put("a_part", rows["part"])

    def children_of_links(self):
        """Both directions bring theirs, under the one key; what lies below a dropped line goes with it."""
        lines, parts = [], []
        for at, item in enumerate(self.items if self.f["l_lines"] else ()):
            one, other = sorted((item.get("one", ""), item.get("other", "")))
            for i, line in enumerate(item.get("Lines", ()) if item["Type"] == "L" else ()):
                row = {"one": one, "other": other, "ordinal": i, "sku": line["Sku"]}
                lines.append(((one, other, i), {**row, "at": at}))
                for k, part in enumerate(line.get("Parts", ())):
                    parts.append(((one, other, i, k), at, {"one": one, "other": other, "ordinal": i, "part": k, "p": part["P"]}))
        kept = self.chosen(lines)
        stay = {(key, row["at"]) for key, row in kept}
        self.tables["l_line"] = [{k: v for k, v in row.items() if k != "at"} for _, row in kept]
        self.put("l_part", [(key, row) for key, at, row in parts if (key[:3], at) in stay])

    def copies(self):
        b, c = [], []
        for item in self.items:
            if item["Type"] != "A":
                continue
            places = [item] * self.f["b"]
            if self.f["lines"] and self.f["line_b"]:
                places += item.get("Lines", [])
            for p in places:
                if "BId" in p:
                    b.append((p["BId"], {"name": p.get("BName"), "n": p.get("BN")}, source_key(item), None, None))
            if self.f["c"] and "CId" in item:
                c.append((item["CId"], {"name": item.get("CName")}, source_key(item), item.get("At"), None))
        return b, c

    def reduced(self, table, rule, key, copies, columns, owners=None):
        rows, conflicts = reduce_copies(rule, copies, columns, owners or {})
        names = key if isinstance(key, tuple) else (key,)
        for k, row in rows:
            self.tables[table].append({**dict(zip(names, k if isinstance(key, tuple) else (k,))), **row})
        for k, column, kept, lost, n in conflicts:
            self.tables[table + "_conflict"].append({
                **dict(zip(names, k if isinstance(key, tuple) else (k,))),
                "attribute": column, "kept": kept, "lost": lost, "count": n})

    def compute(self):
        for letters in ("A", "BD"):
            items, table = self.entities(letters), letters[0].lower()
            for i in items:
                self.tables[table].append({f"{table}_id": i["a_id"], "x": i["x"], "name": i.get("Name"), "n": i.get("N")})
            for letter in letters:
                self.children(letter, f"{table}_id", [i for i in items if i["Type"] == letter])
        b, c = self.copies()
        owners = {row["b_id"]: row for row in self.tables["b"]}
        self.reduced("b", "first", "b_id", b, ("name", "n"), owners)
        self.reduced("c", self.f["c_rule"], "c_id", c, ("name",))
        m = [(i["a_id"], {"mx": i["x"] if i["Type"] == "M" else None, "nx": i["x"] if i["Type"] == "N" else None,
                          "name": i.get("Name"), "n": i.get("N")}, source_key(i), None, None)
             for i in self.items if i["Type"] in "MN"]
        self.reduced("m", self.f["merge_rule"], "m_id", m, ("mx", "nx", "name", "n"))
        links = [(tuple(sorted((i["one"], i["other"]))), {"note": i.get("Note")}, source_key(i), None,
                  i["one"] > i["other"]) for i in self.items if i["Type"] == "L"]
        self.children_of_links()
        self.reduced("l", "mirror", ("one", "other"), links, ("note",))
        return {table: counted(rows) for table, rows in self.tables.items() if rows}


def counted(rows):
    """Rows without what is NULL or not judged, as a multiset."""
    return collections.Counter(
        json.dumps({k: v for k, v in sorted(row.items()) if v is not None and k not in ("extra", "source_key")})
        for row in rows)


# ---- both targets ------------------------------------------------------------------------------------------------------

def rows_of_folder(out):
    tables = {}
    for folder in glob.glob(out + "/*/"):
        parts = sorted(glob.glob(folder + "part-*"))
        text = run("zstdcat", "-q", *parts).stdout if parts else ""
        rows = [json.loads(line) for line in text.splitlines()]
        if rows:
            tables[os.path.basename(folder.rstrip("/"))] = counted(rows)
    return tables


class Database:
    def __init__(self, url):
        self.url = url

    def query(self, sql):
        p = run("psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", self.url, "-c", sql)
        if p.returncode:
            raise RuntimeError(sql + ": " + p.stdout)
        return p.stdout.splitlines()

    def tables(self):
        return sorted(self.query("select tablename from pg_tables where schemaname = 'fuzz'"))

    def rows(self):
        sql = " union all ".join(f"select '{t}', row_to_json(t)::text from fuzz.\"{t}\" as t" for t in self.tables())
        rows = collections.defaultdict(list)
        for line in self.query(sql):
            table, row = line.split("|", 1)
            rows[table].append(json.loads(row))
        return {t: counted(r) for t, r in rows.items()}

    def mutate(self, r):
        """Changes one row, or returns None if there is none."""
        counts = self.query(" union all ".join(f"select '{t}', count(*) from fuzz.\"{t}\"" for t in self.tables()))
        full = sorted(line.split("|")[0] for line in counts if line.split("|")[1] != "0")
        if not full:
            return None
        table = r.choice(full)
        row = f"ctid = (select ctid from fuzz.\"{table}\" order by ctid limit 1)"
        text = [c for c in self.query("select attname from pg_attribute where attrelid = 'fuzz." + table + "'::regclass "
                                      "and attnum > 0 and atttypid = 'text'::regtype")]
        change = r.choice([f"delete from fuzz.\"{table}\" where {row}",
                           f"update fuzz.\"{table}\" set \"{r.choice(text)}\" = 'changed' where {row}"])
        self.query("set session_replication_role = replica; " + change)
        return change


class Case:
    def __init__(self, binary, db, seed):
        self.bin, self.db, self.seed = binary, db, seed
        self.r = random.Random(seed)
        self.dir = f"case-{seed}"
        os.makedirs(self.dir, exist_ok=True)
        self.f, model = make_model(self.r)
        self.items = make_items(self.r, self.f, mirrored=self.r.random() < 0.5)
        with open(self.path("model.json"), "w", encoding="utf-8") as out:
            json.dump(model, out, indent=1)
        with open(self.path("items.jsonl"), "w", encoding="utf-8") as out:
            for item in self.items:
                out.write(json.dumps({"Item": as_dynamodb(item)}) + "\n")

    def path(self, name):
        return f"{self.dir}/{name}"

    def renorm(self, command, target, *more):
        return run(self.bin, command, self.path("items.jsonl"), target, "-m", self.path("model.json"), "--quiet", *more)

    def must(self, what, p, status):
        if p.returncode != status:
            raise AssertionError(f"{what}: exit status {p.returncode}, not {status}:\n{p.stdout}")

    def same(self, what, got, want):
        for table in sorted({*got, *want}):
            a, b = got.get(table, collections.Counter()), want.get(table, collections.Counter())
            if a != b:
                raise AssertionError(f"{what}: {table}: the oracle alone has {sorted((b - a).elements())}, "
                                     f"the target alone {sorted((a - b).elements())}")

    def folder(self):
        out = self.path("out")
        self.must("export to a folder", self.renorm("export", out), 0)
        want = Oracle(self.f, self.items, None).compute()
        got = rows_of_folder(out)
        ids = [i["a_id"] for i in self.items if i["Type"] in "BD"]
        if len(ids) != len(set(ids)):  # several owners, of which a folder chooses none
            want.pop("b_conflict", None)
            got.pop("b_conflict", None)
        self.same("folder", got, want)
        self.must("verify of a folder", self.renorm("verify", out), 0)

    def database(self):
        keep = self.r.choice(("first", "last"))
        self.db.query("drop schema if exists fuzz cascade; drop schema if exists renorm cascade")
        self.must("export to PostgreSQL", self.renorm("export", self.db.url, "--duplicates", keep, "--orphans", "keep"), 0)
        self.same(f"PostgreSQL, {keep}", self.db.rows(), Oracle(self.f, self.items, keep).compute())
        self.must("verify of PostgreSQL", self.renorm("verify", self.db.url), 0)
        change = self.db.mutate(self.r)
        if change:
            self.must(f"verify after {change}", self.renorm("verify", self.db.url), 1)


def main():
    binary, db, cases = sys.argv[1], Database(sys.argv[2]), int(sys.argv[3])
    first = int(sys.argv[4]) if len(sys.argv) > 4 else 1
    failed = 0
    for seed in range(first, first + cases):
        try:
            case = Case(binary, db, seed)
            case.folder()
            case.database()
            subprocess.run(["rm", "-rf", case.dir], check=True)
        except AssertionError as e:
            failed += 1
            print(f"FAILED seed {seed}: {e}", flush=True)
    print(f"{cases} cases from {first} on, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
