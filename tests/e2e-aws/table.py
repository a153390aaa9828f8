#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A table seen from outside renorm. Signatures are not made: for dynalite, DynamoDB Local and a
simulator with --no-auth.

table.py scan URL TABLE [INDEX]       items as sorted lines: members and sets in order, values as they are
table.py sort <items                  the same of items from elsewhere, bare or as {"Item":{...}}
table.py call URL OPERATION BODY      one request; prints the answer, fails unless it is a success
table.py want SPEC <sorted            the lines as a backfill must leave them, see want()
table.py journal STATE BEFORE AFTER   every item that differs has an intent, and nothing else differs
"""
import base64
import glob
import hashlib
import http.client
import json
import os
import sys
import time
import urllib.parse


class Table:
    def __init__(self, url, key_id="test"):
        self.server = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
        credential = f"Credential={key_id}/20260101/us-east-1/dynamodb/aws4_request"
        self.headers = {
            "Content-Type": "application/x-amz-json-1.0",
            "Authorization": f"AWS4-HMAC-SHA256 {credential}, SignedHeaders=host, Signature={'0' * 64}",
        }

    def send(self, operation, body):
        """Status and answer."""
        self.server.request("POST", "/", body if isinstance(body, str) else json.dumps(body),
                            {**self.headers, "X-Amz-Target": "DynamoDB_20120810." + operation,
                             "X-Amz-Date": time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())})
        answer = self.server.getresponse()
        return answer.status, json.loads(answer.read())

    def call(self, operation, body):
        status, answer = self.send(operation, body)
        if status != 200:
            sys.exit(f"{operation}: {status} {answer}")
        return answer

    def pages(self, operation, call):
        while True:
            page = self.call(operation, call)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            call["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def ordered(av):
    """Sets have no order."""
    kind, value = next(iter(av.items()))
    if kind in ("SS", "NS", "BS"):
        return {kind: sorted(value)}
    if kind == "L":
        return {kind: [ordered(v) for v in value]}
    if kind == "M":
        return {kind: {k: ordered(v) for k, v in value.items()}}
    return av


def text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def lines(items):
    return sorted(text({k: ordered(v) for k, v in item.items()}) for item in items)


def read(file):
    for line in file:
        item = json.loads(line)
        yield item["Item"] if set(item) == {"Item"} else item


def want(spec, items):
    """`spec` is Python: an expression over `i` (the item) and `s` (name -> text, '' if missing) that is a
    dict of attributes to set (an attribute value, or a str for S) or remove (None); None: untouched."""
    program = compile(f"({spec})", "want", "eval")
    for item in items:
        names = {"i": item, "s": lambda name: next(iter(item.get(name, {"S": ""}).values())), "base64": base64,
                 "hashlib": hashlib}
        for name, value in (eval(program, names) or {}).items():
            if value is None:
                item.pop(name, None)
            else:
                item[name] = {"S": value} if isinstance(value, str) else value
        yield item


def entries(state):
    """All entries of all logs that are whole."""
    for path in sorted(glob.glob(os.path.join(state, "log", "*.log"))):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.endswith("\n"):
                    yield from json.loads(line.split(" ", 1)[1])


def journal(state, before, after):
    with open(before, encoding="utf-8") as b, open(after, encoding="utf-8") as a:
        sides = [{}, {}]
        for side, file in zip(sides, (b, a)):
            for item in read(file):
                side[text([item["PK"], item["SK"]])] = item
    intended = {}
    for entry in entries(state):
        if "intent" in entry:
            key = text([entry["key"]["PK"], entry["key"]["SK"]])
            for name in set(entry["old"]) | set(entry["new"]):
                intended.setdefault((key, name), []).append((entry["old"].get(name), entry["new"].get(name)))
    assert set(sides[0]) == set(sides[1]), "other items"
    changes = 0
    for key, item in sides[0].items():
        now = sides[1][key]
        for name in set(item) | set(now):
            old, new = (v and ordered(v) for v in (item.get(name), now.get(name)))
            if old != new:
                known = [tuple(v and ordered(v) for v in pair) for pair in intended.get((key, name), [])]
                assert (old, new) in known, f"{key} {name}: {old} became {new}, journal: {known}"
                changes += 1
    print(changes)


def main(command, *args):
    if command == "scan":
        url, table, *index = args
        call = {"TableName": table, "ConsistentRead": not index, **({"IndexName": index[0]} if index else {})}
        print(*lines(Table(url).pages("Scan", call)), sep="\n")
    elif command == "sort":
        print(*lines(read(sys.stdin)), sep="\n")
    elif command == "call":
        url, operation, body = args
        print(text(Table(url).call(operation, body)))
    elif command == "want":
        print(*lines(want(args[0], read(sys.stdin))), sep="\n")
    elif command == "journal":
        journal(*args)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
