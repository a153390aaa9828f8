# SPDX-License-Identifier: MIT
"""For make_design.py: constants around what keys say, such as a tenant in front and a version behind."""

CONVENTIONS = set()


def apply(r, design):
    s = design.sep
    front, behind = r.choice(["prod" + s, "v2" + s, "app" + s + "eu" + s]), r.choice(["", s + "v1", s])
    for t in design.tables:
        if t.store != "item":
            continue
        for keys in [t.keys] + ([t.mirror] if t.mirror else []):
            keys[design.pk] = [front] + list(keys[design.pk])
            if not all(isinstance(p, str) for p in keys[design.sk]):
                keys[design.sk] = list(keys[design.sk]) + ([behind] if behind else [])
