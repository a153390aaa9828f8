# SPDX-License-Identifier: MIT
"""Reads drawings of check --svg as XML: no two boxes overlap, no line runs through the box of another
table, all lies within the page, every text is a text. Prints the names that stand in it and how
often lines cross, if asked to. Usage: check_svg.py [--crossings] FILE..."""
import json
import re
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
CROSSINGS = sys.argv[1] == "--crossings"
FILES = sys.argv[2:] if CROSSINGS else sys.argv[1:]
ALLOWED = {"svg", "title", "style", "g", "rect", "path", "text", "circle"}


def points(path):
    """The corners of a path of M, H, C, v, h and L, curves cut into pieces."""
    x = y = 0.0
    out = []
    for letter, rest in re.findall(r"([A-Za-z])([^A-Za-z]*)", path):
        n = [float(v) for v in rest.split()]
        if letter in "ML":
            for i in range(0, len(n), 2):
                x, y = n[i : i + 2]
                out.append((x, y))
        elif letter == "H":
            x = n[0]
            out.append((x, y))
        elif letter == "C":
            (a, b), (c, d), (e, f) = zip(n[0::2], n[1::2])
            for k in range(1, 25):
                t = k / 24
                u = 1 - t
                px = u**3 * x + 3 * u * u * t * a + 3 * u * t * t * c + t**3 * e
                py = u**3 * y + 3 * u * u * t * b + 3 * u * t * t * d + t**3 * f
                out.append((px, py))
            x, y = e, f
        else:
            sys.exit(f"a path has {letter}: {path}")
    return out


def crossing(p, q, r, s):
    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    return side(p, q, r) * side(p, q, s) < 0 and side(r, s, p) * side(r, s, q) < 0


def cross(a, b):
    """Do two lines cross? Corners apart in either direction do not."""
    for i in range(len(a) - 1):
        p, q = a[i : i + 2]
        for k in range(len(b) - 1):
            r, s = b[k : k + 2]
            apart = max(p[0], q[0]) < min(r[0], s[0]) or max(r[0], s[0]) < min(p[0], q[0])
            if not apart and crossing(p, q, r, s):
                return True
    return False


def whole(text):
    """What a text says: its title where it was cut."""
    title = text.find(f"{SVG}title")
    return title.text if title is not None else text.text or ""


def check(file):
    root = ET.parse(file).getroot()
    for element in root.iter():
        name = element.tag.replace(SVG, "")
        if name not in ALLOWED or any(a.startswith("on") or "href" in a for a in element.attrib):
            sys.exit(f"{file}: there is a {name} in it, with {element.attrib}")
    left, top, width, height = (float(v) for v in root.attrib["viewBox"].split())
    boxes, names = [], {}
    for group in root.findall(f"{SVG}g[@id]"):
        rect = group.find(f"{SVG}rect").attrib
        x, y, w, h = (float(rect[a]) for a in ("x", "y", "width", "height"))
        boxes.append((x, y, x + w, y + h))
        texts = group.findall(f"{SVG}text")
        table = whole(texts[0])
        names[table] = [whole(t) for t in texts[1:] if t.attrib["class"] in "no"]
        if x < left or y < top or x + w > left + width or y + h > top + height:
            sys.exit(f"{file}: {table} is out of the page")
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]:
                sys.exit(f"{file}: boxes {a} and {b} overlap")
    lines = [points(p.attrib["d"]) for p in root.iter(f"{SVG}path") if p.attrib["class"] == "l"]
    for line in lines:
        for x, y in line:
            if any(b[0] + 0.2 < x < b[2] - 0.2 and b[1] < y < b[3] for b in boxes):
                sys.exit(f"{file}: a line runs through a box at {x}, {y}")
    crossings = sum(cross(a, b) for n, a in enumerate(lines) for b in lines[:n]) if CROSSINGS else None
    return {"names": names, "lines": len(lines), "crossings": crossings}


for file in FILES:
    print(json.dumps(check(file), ensure_ascii=False))
