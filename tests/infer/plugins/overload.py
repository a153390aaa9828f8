# SPDX-License-Identifier: MIT
"""For make_design.py: one attribute, `data`, is shared by all entities and means another thing in each."""

CONVENTIONS = set()


def draw(r, conv):
    conv["case"] = "camel"


def apply(r, design):
    for t in design.tables:
        if t.store != "item":
            continue
        plain = [c for c in t.columns if c.type in ("text", "numeric", "integer", "timestamptz", "date") and not c.nullable and not c.optional
                 and list((c.source or {}).get("attribute", [])) == [design.attribute_name(t, c.name)] and "part" not in c.source
                 and c.name not in t.pk and not getattr(c, "target", None) and getattr(c, "style", None) is None]
        if plain:
            r.choice(plain).source = {"attribute": ["data"]}
