# SPDX-License-Identifier: MIT
"""For make_design.py: separators and names that its own lists do not have, words for prefixes with a hyphen in them."""

CONVENTIONS = set()


def draw(r, conv):
    conv["sep"] = r.choice(["~", "::", "$", "=", "//"])
    conv["keys"] = r.choice(["hash,range", "id,range", "_id,_range", "Primary,Secondary", "k1,k2"])
    conv["gsi_name"] = r.choice(["byOwner{n},byOwner{n}Sort", "lookup{n},lookup{n}Range", "i{n}h,i{n}r"])
    conv["type_name"] = r.choice(["schema", "cls", "recordKind", "$type", "model", "x"])
