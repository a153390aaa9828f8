#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How good are the models of `renorm infer`? Its score over made designs, real tables, the examples and our own designs.

  score.py --renorm BIN --shared DIR --work DIR [--seeds 1-60] [--groups "level real ..."] [--jobs 2] [--infer COMMAND]

DIR/infer has the generator and the scorer, DIR/data/sets real tables. Prints a table against the wanted limits, leaves
WORK/misses.txt (each miss of each case) and WORK/scores.json. Status 1 if a limit is missed. COMMAND (with {items} and {model})
stands in for `renorm infer {items} -o {model}`."""

import argparse
import glob
import json
import multiprocessing
import os
import shlex
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# group: mean, minimum of the scores that are wanted
LIMITS = {"level 1": (0.995, 0.9), "level 2": (0.99, 0.9), "level 3": (0.985, 0.9), "level 4": (0.98, 0.9), "level 5": (0.97, 0.9),
          "real": (0.97, 0.92), "examples": (0.85, 0), "own": (0.95, 0.85), "tildes": (0.97, 0.85), "overload": (0.95, 0.85), "unknown": (0.95, 0.85)}
NAMES = 0.8
PLUGIN_SEEDS = 12


def span(text):
    out = []
    for piece in text.replace(",", " ").split():
        low, _, high = piece.partition("-")
        out += range(int(low), int(high or low) + 1)
    return out


def cases(a):
    """(group, name, how to make it)"""
    own = sorted(made_designs())
    found = [(f"level {level}", f"level{level}-seed{seed}", ("made", level, seed, None)) for level in range(1, 6) for seed in span(a.seeds)]
    sets = os.path.join(a.shared, "data", "sets")
    with open(os.path.join(sets, "expected", "tables.json"), encoding="utf-8") as f:
        found += [("real", name, ("real", name)) for name in json.load(f)]
    found += [("examples", os.path.basename(os.path.dirname(m)), ("example", os.path.dirname(m)))
              for m in sorted(glob.glob(os.path.join(ROOT, "examples", "*", "model.json")))]
    found += [("own", name, ("own", name)) for name in own]
    for plugin in sorted(glob.glob(os.path.join(HERE, "plugins", "*.py"))):
        name = os.path.splitext(os.path.basename(plugin))[0]
        found += [(name, f"{name}-level{level}-seed{seed}", ("made", level, seed, plugin))
                  for level in (2, 4, 5) for seed in span(a.seeds) if seed <= PLUGIN_SEEDS]
    picked = a.groups.split()
    return [c for c in found if not picked or any(p in c[0].replace(" ", "") or p in c[1] for p in picked)]


def made_designs():
    sys.path.insert(0, HERE)
    import designs
    return designs.DESIGNS


def prepare(a, how, folder):
    """The truth as the scorer wants it, and the items."""
    kind = how[0]
    if kind == "made":
        import make_design
        plugin = make_design.load_plugin(how[3])
        make_design.write(make_design.Design(how[2], how[1], a.size, {}, plugin), folder)
        return folder, os.path.join(folder, "items.jsonl")
    if kind == "own":
        made_designs()
        import designs
        designs.write(how[1], folder)
        return folder, os.path.join(folder, "items.jsonl")
    if kind == "real":
        sets = os.path.join(a.shared, "data", "sets")
        return os.path.join(sets, "expected", "tables.json") + ":" + how[1], os.path.join(sets, how[1] + ".jsonl")
    return os.path.join(how[1], "model.json"), os.path.join(how[1], "items.jsonl")


def infer(a, items, model):
    """None, or why there is no model."""
    command = [x.format(items=items, model=model) for x in shlex.split(a.infer)] if a.infer else [a.renorm, "infer", items, "-o", model]
    if os.path.exists(model):
        os.unlink(model)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if not os.path.exists(model) and a.infer and done.stdout and not done.returncode:
        with open(model, "wb") as f:
            f.write(done.stdout)
    if done.returncode or not os.path.exists(model):
        return f"infer: status {done.returncode}: " + done.stderr.decode("utf-8", "replace").strip()[-300:]
    return None


def one(job):
    a, (group, name, how) = job
    sys.path.insert(0, os.path.join(a.shared, "infer"))
    import score
    folder = os.path.join(a.work, "cases", name)
    os.makedirs(folder, exist_ok=True)
    began = time.time()
    try:
        truth, items = prepare(a, how, folder)
        model = os.path.join(folder, "inferred.json")
        problem = infer(a, items, model)
        took = time.time() - began
        if problem:
            return {"group": group, "name": name, "score": 0.0, "names": None, "misses": [problem], "seconds": took}
        with open(os.path.join(a.shared, "infer", "either.json"), encoding="utf-8") as f:
            either = json.load(f)
        f = score.score_case(truth, model, items, a.renorm, None, either).figures()
    except (Exception, SystemExit) as e:  # a case that fails is a score of nothing, told as such
        return {"group": group, "name": name, "score": 0.0, "names": None, "misses": [f"{type(e).__name__}: {e}"], "seconds": 0}
    if f["score"] > 0.9999 and not a.keep:
        shutil.rmtree(folder, ignore_errors=True)
    f.update(group=group, name=name, seconds=took)
    if f["note"]:
        f["misses"].append("note: " + f["note"])
    return f


def summary(results):
    missed = False
    print(f"{'group':10} {'cases':>5} {'mean':>7} {'wanted':>7} {'min':>7} {'wanted':>7} {'names':>6} {'wanted':>7}  lowest")
    for group in dict.fromkeys(f["group"] for f in results):
        of = [f for f in results if f["group"] == group]
        mean, low = sum(f["score"] for f in of) / len(of), min(f["score"] for f in of)
        named = [f["names"] for f in of if f["names"] is not None]
        names = sum(named) / len(named) if named else 0.0
        want_mean, want_low = LIMITS[group]
        worst = sorted(of, key=lambda f: f["score"])[:3]
        good = mean >= want_mean and low >= want_low and names >= NAMES
        missed = missed or not good
        print(f"{group:10} {len(of):5} {mean:7.4f} {want_mean:7.3f} {low:7.3f} {want_low or '-':>7} {names:6.3f} {NAMES:7.2f}  "
              + ("" if good else "MISSED  ") + ", ".join(f"{f['name']} {f['score']:.3f}" for f in worst if f["score"] < 0.9999))
    return missed


def classes(results):
    """How often each kind of decision was missed, so that the largest class of misses is mended first."""
    counts = {}
    for f in results:
        for m in f["misses"]:
            counts.setdefault(f["group"], {}).setdefault(m.split(":")[0], []).append(f["name"])
    for group, kinds in counts.items():
        print(f"{group:10} misses: " + ", ".join(f"{k} {len(v)} in {len(set(v))}" for k, v in sorted(kinds.items(), key=lambda x: -len(x[1]))))


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--renorm", required=True)
    p.add_argument("--shared", required=True)
    p.add_argument("--work", required=True)
    p.add_argument("--seeds", default="1-60")
    p.add_argument("--size", type=int, default=300, help="about how many items a made design has")
    p.add_argument("--groups", default="", help="words: parts of the groups' or cases' names")
    p.add_argument("--jobs", type=int, default=2)
    p.add_argument("--infer", default="", help="another command, with {items} and {model}")
    p.add_argument("--keep", action="store_true", help="folders of cases without a miss stay too")
    p.add_argument("--floor", type=float, help="instead of the limits: no case under this")
    a = p.parse_args()
    os.makedirs(a.work, exist_ok=True)
    sys.path.insert(0, os.path.join(a.shared, "infer"))
    jobs = [(a, c) for c in cases(a)]
    if not jobs:
        p.error("no case is called so")
    with multiprocessing.Pool(a.jobs) as pool:
        results = pool.map(one, jobs, chunksize=1)
    with open(os.path.join(a.work, "misses.txt"), "w", encoding="utf-8") as f:
        for x in sorted(results, key=lambda x: (x["group"], x["score"], x["name"])):
            if x["misses"]:
                f.write(f"{x['group']} {x['name']} {x['score']:.4f}\n" + "".join(f"    {m}\n" for m in x["misses"]))
    with open(os.path.join(a.work, "scores.json"), "w", encoding="utf-8") as f:
        json.dump([{k: x.get(k) for k in ("group", "name", "score", "names", "seconds", "misses")} for x in results], f, indent=1)
    missed = summary(results)
    classes(results)
    print(f"every miss: {os.path.relpath(os.path.join(a.work, 'misses.txt'), ROOT)}")
    if a.floor is not None:
        under = [f"{f['name']} {f['score']:.3f}" for f in results if f["score"] < a.floor]
        print(f"under {a.floor}: " + (", ".join(under) or "none"))
        return 1 if under else 0
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
