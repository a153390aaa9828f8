#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The live application: changes, deletes and inserts orders of the simulator's kind, as fast as it can,
until STOP exists; STOP.begun and STOP.enough are made after the first ones and after OPERATIONS. Mostly it keeps the new
attributes right itself when it changes what they are made of, sometimes it does not. Writes to LOG, per key, what it did last,
and to LOG.stale, per key of the second kind, every status that the item had. Threads never share a key.
Usage: writer.py URL TABLE ITEMS LOG STOP OPERATIONS THREADS"""
import json
import os
import random
import sys
import threading

from table import Table

URL, TABLE, ITEMS, LOG, STOP, OPERATIONS, THREADS = sys.argv[1:]
OPERATIONS, THREADS = int(OPERATIONS), int(THREADS)
STATUS = ["open", "paid", "shipped", "done", "lost", "found"]
last, stale, lock, made = {}, {}, threading.Lock(), [0] * THREADS


def attributes(item, status, version):
    return {"Status": {"S": status}, "Version": {"N": str(version)}, "GSI1PK": {"S": "STATUS#" + status},
            "GSI1SK": {"S": item["PlacedAt"]["S"] + "#" + item["SK"]["S"][7:]}}


def update(table, item, changes):
    """Only while it is there, as applications do."""
    names = {f"#{n}": name for n, name in enumerate(changes)}
    status, answer = table.send("UpdateItem", {
        "TableName": TABLE, "Key": {"PK": item["PK"], "SK": item["SK"]},
        "UpdateExpression": "SET " + ", ".join(f"#{n} = :{n}" for n in range(len(changes))),
        "ConditionExpression": "attribute_exists(PK)", "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": {f":{n}": value for n, value in enumerate(changes.values())}})
    if status != 200:
        sys.exit(f"UpdateItem {status} {answer}")


def work(number, items):
    table, chance, mine, version = Table(URL, "WRITER"), random.Random(number), {}, 0
    alive, had, forgot = list(items), {}, set()
    while not os.path.exists(STOP):
        made[number] += 1
        for name, wanted in ((".begun", 5), (".enough", OPERATIONS / THREADS)):
            if min(made) == int(wanted):
                open(STOP + name, "w", encoding="utf-8").close()
        version += 1
        what = chance.random()
        item = alive[chance.randrange(len(alive))] if alive else None
        if item is None or what < 0.15:
            item = {"PK": {"S": f"CUSTOMER#new{number}"}, "SK": {"S": f"#ORDER#w{number}x{version}"},
                    "Type": {"S": "Order"}, "PlacedAt": {"S": "2026-11-01T00:00:00Z"}, "Total": {"N": "1"}}
            item.update(attributes(item, "open", version))
            table.call("PutItem", {"TableName": TABLE, "Item": item})
            alive.append(item)
            change = item
        elif what < 0.3 and len(alive) > 20:
            table.call("DeleteItem", {"TableName": TABLE, "Key": {"PK": item["PK"], "SK": item["SK"]}})
            alive.remove(item)
            change = None
        elif what < 0.5:
            # nothing that the backfill looks at
            change = {"Version": {"N": str(version)}}
            update(table, item, change)
        elif what < 0.65:
            # by a part of the application that does not know of the new attributes
            change = {"Status": {"S": chance.choice(STATUS)}, "Version": {"N": str(version)}}
            update(table, item, change)
        else:
            change = attributes(item, chance.choice(STATUS), version)
            update(table, item, change)
        key = json.dumps([item["PK"]["S"], item["SK"]["S"]])
        mine[key] = None if change is None else {**(mine.get(key) or {}), **change}
        if change and "Status" in change:
            had.setdefault(key, [item.get("Status", {"S": "open"})["S"]]).append(change["Status"]["S"])
            if "GSI1PK" not in change:
                forgot.add(key)
                mine[key].pop("GSI1PK", None)
    with lock:
        last.update(mine)
        stale.update({key: had[key] for key in forgot})


with open(ITEMS, encoding="utf-8") as file:
    orders = [item for item in map(json.loads, file) if item["Type"]["S"] == "Order"]
threads = [threading.Thread(target=work, args=(n, orders[n::THREADS])) for n in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if len(last) == 0:
    sys.exit("nothing was done")
with open(LOG, "w", encoding="utf-8") as file:
    json.dump(last, file)
with open(LOG + ".stale", "w", encoding="utf-8") as file:
    json.dump(stale, file)
print(sum(made), "operations")
