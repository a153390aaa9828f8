# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# --metrics is what the text format of Prometheus says, read by a parser that knows nothing of renorm
cat >prom.py <<'P'
"""Reads a textfile strictly: one HELP and TYPE before the samples of a name, no series twice."""
import re, sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = re.compile(r'([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)')
SAMPLE = re.compile(r"(%s)(?:\{(.*)\})? (\S+)$" % NAME)

def labels(text):
    found, at = {}, 0
    while at < len(text):
        m = LABEL.match(text, at)
        assert m and m.group(1) not in found, "labels: " + text[at:]
        found[m.group(1)] = re.sub(r"\\(.)", lambda e: "\n" if e.group(1) == "n" else e.group(1), m.group(2))
        at = m.end()
    return found

def parse(data):
    text = data.decode("utf-8")
    assert text.endswith("\n"), "the last line has no end"
    families, current, seen = {}, None, set()
    for line in text[:-1].split("\n"):
        head = re.match(r"# (HELP|TYPE) (%s) (.+)$" % NAME, line)
        if head and head.group(1) == "HELP":
            assert head.group(2) not in families, "twice: " + line
            current = head.group(2)
            families[current] = {"type": None, "samples": []}
        elif head:
            assert head.group(2) == current and not families[current]["samples"] and head.group(3) == "gauge", line
            families[current]["type"] = head.group(3)
        else:
            m = SAMPLE.match(line)
            assert m and m.group(1) == current and families[current]["type"], "sample: " + line
            got = labels(m.group(2) or "")
            series = (m.group(1), tuple(sorted(got.items())))
            assert series not in seen, "twice: " + line
            seen.add(series)
            families[current]["samples"].append((got, float(m.group(3))))
    assert all(f["samples"] for f in families.values()), "a name without samples"
    return families

def main():
    families = parse(open(sys.argv[1], "rb").read())
    for name, family in families.items():
        for got, value in family["samples"]:
            timed = name.endswith("seconds")
            if timed and name != "renorm_duration_seconds":
                assert 1.5e9 < value < 1e10, name
            if "version" in got:
                got["version"] = "VERSION"
            print(name, got, "TIME" if timed else "BYTES" if name == "renorm_bytes" else value)

main()
P
cp "$TESTS/data/small.json" .
cat >items.jsonl <<'I'
{"PK":{"S":"CUSTOMER#1"},"SK":{"S":"A"},"Type":{"S":"Customer"},"Name":{"S":"n"}}
{"PK":{"S":"x"},"SK":{"S":"y"},"Type":{"S":"Alien"}}
I
value() { sed -n "s/^$1{.*} //p" m.prom; }
try() {
    echo "\$ renorm $*"
    renorm "$@" --quiet --metrics m.prom 2>&1
    echo "[$?]"
    python3 prom.py m.prom
}
try export items.jsonl out -m small.json --max-unrouted 1
# a failure keeps when it last went well, and nothing of what was counted then
before=$(value renorm_last_success_timestamp_seconds)
try export items.jsonl out -m small.json | grep "^\\[\|renorm_items\|exit_status"
[ "$before" = "$(value renorm_last_success_timestamp_seconds)" ] && echo "the success is remembered"
try export --nonsense
[ "$before" = "$(value renorm_last_success_timestamp_seconds)" ] && echo "the success is remembered"
try verify items.jsonl out -m small.json
rm m.prom
try verify items.jsonl out
sed 's/"orders"/"or\\"d\\\\e\\ners"/' small.json >odd.json
try export items.jsonl $'o"u\\t\n\xff' -m odd.json --max-unrouted 1
find . -maxdepth 1 | sort | cat -A
# places
renorm export items.jsonl out -m small.json --metrics nowhere/m.prom 2>&1
echo "[$?]"
renorm export items.jsonl out -m small.json --metrics both --summary both 2>&1
echo "[$?]"
renorm export items.jsonl out -m small.json --quiet --max-unrouted 1 --metrics /dev/stdout | grep -c renorm_items
