# SPDX-License-Identifier: MIT
"""Two readers of a folder of JSON lines: by the manifest, and by looking into the folders of tables.

Usage: folder_reader.py OUT OLD NEW [--until FILE]
OUT must show one of the two runs: by the manifest all of it, in each folder of a table the rows of one. With --until it
is looked at again and again until FILE exists.
"""
import collections
import glob
import hashlib
import json
import os
import subprocess
import sys


def unpack(data):
    text = subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE, check=True).stdout if data else b""
    return collections.Counter(text.splitlines())


def lines(paths):
    data = b""
    for path in paths:
        with open(path, "rb") as f:
            data += f.read()
    return unpack(data)


def rows_in(folder):
    """The rows of a table's folder; once more, if it changed places between looking and reading."""
    while True:
        try:
            return lines(sorted(glob.glob(glob.escape(folder) + "part-*")))
        except FileNotFoundError:
            continue


def rows_of(out):
    """All rows that lie in the folders of tables."""
    return {os.path.basename(d.rstrip("/")): rows_in(d) for d in sorted(glob.glob(glob.escape(out) + "/*/"))}


def find_part(out, folder, name):
    """A part that the manifest names lies in its table's folder, or, while folders change places, in the run's."""
    name = glob.escape(name)
    for place in ("{0}/{1}", "{0}/.renorm/run-*/new/{1}.old", "{0}/.renorm/run-*/new/{1}"):
        found = glob.glob(place.format(glob.escape(out), glob.escape(folder)) + "/" + name)
        if found:
            return found[0]
    raise FileNotFoundError(name)


def read_manifest(out):
    with open(out + "/manifest.json", encoding="utf-8") as f:
        return json.load(f)


def read_by_manifest(out):
    """All rows of the run that the manifest speaks of: from the beginning, if it was replaced meanwhile."""
    while True:
        manifest = read_manifest(out)
        try:
            return read_all(out, manifest)
        except FileNotFoundError:
            if read_manifest(out) == manifest:
                raise


def read_all(out, manifest):
    found = {}
    for table in [*manifest["tables"], manifest["rejects"], manifest["unrouted"]]:
        parts = []
        for part in table["files"]:
            with open(find_part(out, table["folder"], part["name"]), "rb") as f:
                parts.append(f.read())
            if hashlib.sha256(parts[-1]).hexdigest() != part["sha256"]:
                raise ValueError(part["name"] + " is another file")
        if parts or table in manifest["tables"]:
            found[table["folder"]] = unpack(b"".join(parts))
    return found


def look(out, old, new):
    shown = read_by_manifest(out)
    if shown not in (old, new):
        sys.exit("the manifest leads to rows of neither run")
    moved = 0
    for folder, rows in rows_of(out).items():
        gone = collections.Counter()  # a folder that was listed and then taken away
        if rows not in (old.get(folder, gone), new.get(folder, gone)):
            sys.exit(folder + " holds rows of neither run, or of both")
        moved += shown.get(folder) != rows
    return ("old" if shown == old else "new") + (", in motion" if moved else "")


def main():
    out, old, new = sys.argv[1], read_by_manifest(sys.argv[2]), read_by_manifest(sys.argv[3])
    until = sys.argv[5] if len(sys.argv) > 5 else None
    while True:
        print(look(out, old, new), flush=True)
        if not until or os.path.exists(until):
            break


if __name__ == "__main__":
    main()
