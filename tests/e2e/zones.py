# SPDX-License-Identifier: MIT
"""Local times around the changes of every zone, and what Python's own reader of the tz database makes of them.

zones.py MODEL ITEMS WANT writes a model with an entity for each zone, items, and the rows that must come of them:
`e` and `l` are the earlier and the later instant of a local time, `w` what clocks show at an instant. Of items with
`s` nothing says which is meant: those that are ambiguous are rejected, and their ids stand in WANT.rejected."""
import datetime as dt
import json
import random
import sys
import zoneinfo

UTC = dt.timezone.utc
EPOCH = dt.datetime(1970, 1, 1)
rnd = random.Random(12)


def offset(zone, utc):
    return utc.replace(tzinfo=UTC).astimezone(zone).utcoffset()


def instants(zone, local):
    """The instants of a local time by both folds, smaller first, and whether clocks show it once."""
    both = sorted(local.replace(tzinfo=zone, fold=f).astimezone(UTC).replace(tzinfo=None) for f in (0, 1))
    return both, both[0] == both[1]


def changes(zone, first, last):
    """Instants between which the offset differs, found by halving steps of ten days."""
    step = dt.timedelta(days=10)
    at = first
    while at < last:
        a, b = at, at + step
        if offset(zone, a) != offset(zone, b):
            while b - a > dt.timedelta(seconds=1):
                middle = a + dt.timedelta(seconds=(b - a).total_seconds() // 2)
                a, b = (a, middle) if offset(zone, a) != offset(zone, middle) else (middle, b)
            yield b
        at += step


def samples(zone):
    """Local times near some changes, long ago and far ahead."""
    found = list(changes(zone, dt.datetime(2019, 1, 1), dt.datetime(2025, 1, 1)))
    found += list(changes(zone, dt.datetime(2090, 1, 1), dt.datetime(2091, 1, 1)))
    past = rnd.randrange(1900, 2010)
    found += list(changes(zone, dt.datetime(past, 1, 1), dt.datetime(past + 3, 1, 1)))
    for at in rnd.sample(found, min(6, len(found))):
        local = at + offset(zone, at - dt.timedelta(seconds=1))
        for seconds in (-1, 0, 1, -3600, -3601, 3599, 3600, 1799, -1800, rnd.randrange(-9000, 9000)):
            yield local + dt.timedelta(seconds=seconds)
    for year in (1, 1850, 1950, 1999, 2030, 2038, 2200, 9998):
        yield dt.datetime(year, rnd.randrange(1, 13), rnd.randrange(2, 29), rnd.randrange(24), rnd.randrange(60),
                          rnd.randrange(60), rnd.choice((0, 250000, 1)))


def stamp(t, z="Z"):
    text = t.strftime("%m-%dT%H:%M:%S") + (f".{t.microsecond:06d}".rstrip("0") if t.microsecond else "")
    return f"{t.year:04d}-{text}{z}"


def main():
    model, items, want = sys.argv[1:]
    names = sorted(n for n in zoneinfo.available_timezones() if n != "localtime")
    entities = {}
    rejected = []
    with open(items, "w", encoding="utf-8") as out, open(want, "w", encoding="utf-8") as rows:
        for i, name in enumerate(names):
            zone = zoneinfo.ZoneInfo(name)
            time = {"type": "timestamptz", "zone": name}
            entities[name] = {"when": {"Z": name}, "table": "t", "primary_key": "id", "columns": {
                "id": "text", "e": {**time, "ambiguous": "earlier"}, "l": {**time, "ambiguous": "later"}, "s": time,
                "w": {"type": "timestamp", "zone": name}}}
            for n, local in enumerate(samples(zone)):
                key = f"{i}-{n}"
                both, once = instants(zone, local)
                text = stamp(local, "").replace("T", rnd.choice("T "))
                row = {"id": key, "e": stamp(both[0]), "l": stamp(both[1]),
                       "w": stamp(local + (offset(zone, local) or dt.timedelta()), "")}
                item = {"PK": key, "Z": name, "id": key, "e": text, "l": text, "w": stamp(local)}
                if rnd.randrange(3) == 0:
                    item["s"] = text
                    row["s"] = stamp(both[0])
                out.write(json.dumps({k: {"S": v} for k, v in item.items()}) + "\n")
                if "s" in item and not once:
                    rejected.append(key)
                else:
                    order = {k: row[k] for k in ("id", "e", "l", "s", "w") if k in row}
                    rows.write(json.dumps(order, separators=(",", ":")) + "\n")
    with open(model, "w", encoding="utf-8") as out:
        json.dump({"renorm": 1, "source": {"key": ["PK"]}, "rest": "drop", "entities": entities}, out)
    with open(want + ".rejected", "w", encoding="utf-8") as out:
        out.writelines(f"{key}\n" for key in sorted(rejected))


main()
