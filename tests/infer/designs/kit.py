# SPDX-License-Identifier: MIT
"""What the designs of this folder are made with: tables with their rows, and the items that hide them.

A design is a function with the decorator @design. It gets a Design to fill and a random generator whose
seed is the design's name, so the same bytes come out each time. write() leaves the folder that a scorer
takes: items.jsonl, expected.json and expected/*.csv."""

import base64
import json
import os
import random
from decimal import Decimal

DESIGNS = {}


def design(made):
    DESIGNS[made.__name__] = made
    return made


class N(str):
    """A number by its digits, as DynamoDB spells it."""


def value(v):
    """A Python value as DynamoDB's JSON has it; a tuple is a set."""
    if v is None:
        return {"NULL": True}
    if isinstance(v, bool):
        return {"BOOL": v}
    if isinstance(v, N):
        return {"N": str(v)}
    if isinstance(v, (int, Decimal)):
        return {"N": f"{v:f}" if isinstance(v, Decimal) else str(v)}
    if isinstance(v, bytes):
        return {"B": base64.b64encode(v).decode()}
    if isinstance(v, dict):
        return {"M": {k: value(m) for k, m in v.items()}}
    if isinstance(v, list):
        return {"L": [value(m) for m in v]}
    if isinstance(v, tuple):
        return {"SS": list(v)} if isinstance(v[0], str) else {"NS": [str(m) for m in v]}
    return {"S": v}


class Table:
    """columns: name="type", with words behind it: `optional` (may be there or not), `~TYPE` (as good)."""

    def __init__(self, name, pk, columns, refs, kind, optional, pk_any):
        self.name, self.pk = name, [pk] if isinstance(pk, str) else list(pk)
        self.columns, self.refs, self.kind, self.optional = columns, refs, kind, optional
        self.pk_any, self.rows = pk_any, []

    def row(self, /, **cells):
        unknown = set(cells) - set(self.columns)
        if unknown:
            raise ValueError(f"{self.name}: no columns {unknown}")
        self.rows.append({c: cells.get(c) for c in self.columns})
        return cells


class Design:
    def __init__(self, name):
        self.name, self.tables, self.items = name, [], []
        self.key, self.index, self.strip, self.separator = ["PK", "SK"], [], [], "#"

    def conventions(self, key=("PK", "SK"), index=(), strip=(), separator="#"):
        """strip: attributes that hold nothing of their own, such as the type."""
        self.key, self.index, self.strip, self.separator = list(key), list(index), list(strip), separator

    def table(self, name, pk, refs=None, /, kind="entity", optional=False, pk_any=(), **columns):
        """refs: column or (columns) -> table; a column ending in ? makes the reference optional."""
        t = Table(name, pk, columns, refs or {}, kind, optional, [list(k) for k in pk_any])
        self.tables.append(t)
        return t

    def item(self, /, **attributes):
        self.put(attributes)

    def put(self, attributes):
        """An attribute that is Ellipsis is left out."""
        self.items.append({k: value(v) for k, v in attributes.items() if v is not ...})


def cell(v):
    if v is None:
        return None
    if isinstance(v, bool):
        return "true" if v else "false"
    if isinstance(v, bytes):
        return "\\x" + v.hex()
    if isinstance(v, (list, tuple, dict)):
        return json.dumps(list(v) if isinstance(v, tuple) else v, ensure_ascii=False, default=str)
    return f"{v:f}" if isinstance(v, Decimal) else str(v)


def csv_cell(text):
    if text is None:
        return ""
    if text == "" or any(c in text for c in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def column_facts(t, name, words):
    type_name, *more = words.split()
    nulls = any(r[name] is None for r in t.rows)
    optional = "optional" in more
    rule = "no" if nulls else "either" if optional or len(t.rows) < 20 or name in t.pk else "yes"
    if "either" in more:
        rule = "either"
    return {"name": name, "type": type_name, "accept": {w[1:]: None for w in more if w.startswith("~")}, "not_null": rule,
            "optional": optional, "tolerance": 0.6 if "loose" in more else 0.0}


def references(t, tables):
    out = []
    for columns, to in t.refs.items():
        names = [columns] if isinstance(columns, str) else list(columns)
        optional = names[-1].endswith("?")
        names = [n.rstrip("?") for n in names]
        out.append({"columns": names, "to": to, "to_columns": next(x.pk for x in tables if x.name == to), "optional": optional})
    return out


def truth(d):
    tables = [{"name": t.name, "kind": t.kind, "optional": t.optional, "rows": len(t.rows), "pk": t.pk, "pk_any": t.pk_any,
               "fks": references(t, d.tables), "columns": [column_facts(t, n, w) for n, w in t.columns.items()]} for t in d.tables]
    return {"source": {"key": d.key, "index": d.index, "strip": d.strip}, "conventions": {"sep": d.separator}, "tables": tables}


def check(d):
    """A truth that contradicts itself would teach the wrong thing."""
    keys = [json.dumps([i.get(k) for k in d.key]) for i in d.items]
    if len(set(keys)) != len(keys) or any(k not in i for i in d.items for k in d.key):
        raise ValueError(f"{d.name}: a key twice, or none")
    rows = {t.name: t for t in d.tables}
    for t in d.tables:
        own = [tuple(cell(r[c]) for c in t.pk) for r in t.rows]
        if not t.rows or len(set(own)) != len(own) or any(None in k for k in own):
            raise ValueError(f"{d.name}: {t.name} has no rows, or its key does not hold")
        for f in references(t, d.tables):
            known = {tuple(cell(r[c]) for c in f["to_columns"]) for r in rows[f["to"]].rows}
            mine = {tuple(cell(r[c]) for c in f["columns"]) for r in t.rows}
            if any(None not in k and k not in known for k in mine) and not f["optional"]:
                raise ValueError(f"{d.name}: orphans of {t.name} {f['columns']}")


def make(name):
    d, r = Design(name), random.Random(name)
    DESIGNS[name](d, r)
    check(d)
    r.shuffle(d.items)
    return d


def write(name, out):
    d = make(name)
    os.makedirs(os.path.join(out, "expected"), exist_ok=True)
    with open(os.path.join(out, "items.jsonl"), "w", encoding="utf-8") as f:
        for item in d.items:
            f.write(json.dumps({"Item": item}, ensure_ascii=False) + "\n")
    with open(os.path.join(out, "expected.json"), "w", encoding="utf-8") as f:
        json.dump(truth(d), f, indent=1, ensure_ascii=False)
    for t in d.tables:
        with open(os.path.join(out, "expected", t.name + ".csv"), "w", encoding="utf-8", newline="") as f:
            f.write(",".join(map(csv_cell, t.columns)) + "\n")
            for row in t.rows:
                f.write(",".join(csv_cell(cell(row[c])) for c in t.columns) + "\n")


# ---------------------------------------------------------------- values

WORDS = "amber birch coral delta ember fjord grove heath inlet jetty knoll lagoon marsh north oasis plain quay ridge shore tide".split()
PEOPLE = "Ana Bo Cid Dag Eva Fay Gil Hal Ivy Jan Kit Lea Max Nia Ole Pam Rex Sue Tim Una".split()


def words(r, n=2):
    return " ".join(r.choice(WORDS) for _ in range(n))


def person(r):
    return f"{r.choice(PEOPLE)} {r.choice(WORDS).capitalize()}"


def uuid(r):
    h = f"{r.getrandbits(128):032x}"
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-9{h[17:20]}-{h[20:]}"


def ulid(r):
    return "01H" + "".join(r.choice("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for _ in range(23))


def day(r):
    return f"202{r.randrange(0, 5)}-{r.randrange(1, 13):02d}-{r.randrange(1, 29):02d}"


def moment(r):
    return f"{day(r)}T{r.randrange(24):02d}:{r.randrange(60):02d}:{r.randrange(60):02d}Z"


def money(r):
    return Decimal(r.randrange(100, 99999)).scaleb(-2)


def serials(r, n, first=1000):
    """n different numbers, neither dense nor in order."""
    return r.sample(range(first, first + 9 * n), n)
