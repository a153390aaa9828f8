# SPDX-License-Identifier: MIT
"""What a backfill needs of the simulator: units of indexes, failed conditions with and without the
item, throttling of a table and of one key, writes that were made although the answer says
otherwise, and the captured requests."""
import json
import os

from client import SCRATCH, Sim, refused


def index(name, keys, projection):
    return {"IndexName": name, "IndexStatus": "ACTIVE", "Projection": projection,
            "KeySchema": [{"AttributeName": k, "KeyType": t} for k, t in zip(keys, ("HASH", "RANGE"))]}


DESCRIBE = {"GlobalSecondaryIndexes": [
    index("all", ["a", "b"], {"ProjectionType": "ALL"}),
    index("keys", ["a"], {"ProjectionType": "KEYS_ONLY"}),
    index("some", ["a"], {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["c"]})]}
KEY = {"PK": {"S": "p"}, "SK": {"S": "s"}}


def update(client, expression, values, key=None, **more):
    return client.update_item(
        TableName="shop", Key=key or KEY, UpdateExpression=expression, ReturnConsumedCapacity="INDEXES",
        **({"ExpressionAttributeValues": {k: {"S": v} for k, v in values.items()}} if values else {}), **more)


def units(answer):
    used = answer["ConsumedCapacity"]
    indexes = {k: v["CapacityUnits"] for k, v in used.get("GlobalSecondaryIndexes", {}).items()}
    assert used["CapacityUnits"] == used["Table"]["CapacityUnits"] + sum(indexes.values())
    return used["Table"]["CapacityUnits"], indexes


def check_units(sim, client):
    """Three kilobytes that only the index with everything carries."""
    client.put_item(TableName="shop", Item={**KEY, "fill": {"S": "x" * 2100}})
    assert units(update(client, "SET c = :c", {":c": "1"})) == (3, {})
    assert units(update(client, "SET a = :a", {":a": "1"})) == (3, {"keys": 1, "some": 1})
    assert units(update(client, "SET b = :b", {":b": "1"})) == (3, {"all": 3})
    assert units(update(client, "SET a = :a", {":a": "2"})) == (3, {"all": 6, "keys": 2, "some": 2})
    assert units(update(client, "SET a = :a", {":a": "2"})) == (3, {})
    assert units(update(client, "SET c = :c", {":c": "2"})) == (3, {"all": 3, "some": 1})
    assert units(update(client, "SET fill = :f", {":f": "y"})) == (3, {"all": 3})
    assert units(update(client, "REMOVE a, b", None)) == (1, {"all": 1, "keys": 1, "some": 1})
    assert sim.stats()["index_units"] == 25


def check_lengths(client):
    update(client, "SET a = :a, b = :b", {":a": "x" * 2048, ":b": "x" * 1024})
    for values in ({":a": "x" * 2049, ":b": "b"}, {":a": "a", ":b": "x" * 1025}, {":a": "", ":b": "b"}):
        refused(lambda v=values: update(client, "SET a = :a, b = :b", v), "ValidationException")


def check_conditions(client, answered):
    client.put_item(TableName="shop", Item={**KEY, "m": {"M": {"x": {"L": [{"N": "1.0"}]}}}, "s": {"NS": ["1", "2"]}})
    call = {"ConditionExpression": "attribute_exists(PK) AND #m.#x[0] = :n AND s = :s AND attribute_not_exists(#m.y)",
            "ExpressionAttributeNames": {"#m": "m", "#x": "x"}, "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    values = {":n": {"N": "1"}, ":s": {"NS": ["2", "1"]}, ":a": {"S": "z"}}

    def go(key=None, **changed):
        return client.update_item(TableName="shop", Key=key or KEY, UpdateExpression="SET d = :a",
                                  ExpressionAttributeValues={**values, **changed}, **call)

    go()
    failure = refused(lambda: go(**{":n": {"N": "2"}}), "ConditionalCheckFailedException")
    assert ("Item" in failure.response) == answered
    if answered:
        assert failure.response["Item"] == client.get_item(TableName="shop", Key=KEY)["Item"]
    failure = refused(lambda: go({"PK": {"S": "gone"}, "SK": {"S": "s"}}), "ConditionalCheckFailedException")
    assert "Item" not in failure.response


def check_table_throttle():
    for extra, error, reason in (
            ([], "ProvisionedThroughputExceededException", "TableWriteProvisionedThroughputExceeded"),
            (["--on-demand"], "ThrottlingException", "TableWriteMaxOnDemandThroughputExceeded")):
        with Sim("--generate", "10", "--wcu", "0.001", "--burst", "3000", "--enforce", *extra, auth=False) as sim:
            answers = [sim.raw("PutItem", Item=KEY) for _ in range(6)]
            assert [a.status for a in answers] == [200] * 4 + [400] * 2
            assert answers[5].error() == error and reason in answers[5].body.decode()
            assert sim.raw("Scan", Limit=1).status == 200
            sim.control("table", {"wcu": 1000})
            assert sim.raw("PutItem", Item=KEY).status == 200


def check_hot_key():
    with Sim("--generate", "10", auth=False) as sim:
        sim.control("faults", {"operation": "UpdateItem", "pk": "hot", "action": "throttle",
                               "reason": "TableWriteKeyRangeThroughputExceeded"})

        def write(pk):
            return sim.raw("UpdateItem", Key={"PK": {"S": pk}, "SK": {"S": "s"}}, UpdateExpression="SET a = :a",
                           ExpressionAttributeValues={":a": {"S": "x"}})

        assert [write(pk).status for pk in ("cold", "hot", "cold")] == [200, 400, 200]
        assert "TableWriteKeyRangeThroughputExceeded" in write("hot").body.decode()


def check_applied():
    """The answer is an error, or there is none; the write was made, or it was not."""
    for rule, applied in (({"action": "500"}, False), ({"action": "500", "apply": True}, True),
                          ({"action": "reset-before"}, False), ({"action": "reset-after"}, True),
                          ({"action": "stall", "apply": True}, True), ({"action": "throttle"}, False)):
        path = os.path.join(SCRATCH, "capture.tsv")
        with Sim("--generate", "10", "--capture", path, auth=False) as sim:
            sim.control("faults", {"operation": "PutItem", "times": 1, **rule})
            body = {"TableName": "shop", "Item": KEY}
            with sim.connect() as connection:
                sim.send(connection, "PutItem", body)
                while sim.stats()["rules"][0]["fired"] == 0:
                    pass
            assert ("Item" in sim.raw("GetItem", Key=KEY).json()) == applied, rule
            sim.control("flush")
            with open(path, encoding="utf-8") as file:
                lines = [line.rstrip("\n").split("\t") for line in file]
            assert [line[1] for line in lines] == ["PutItem", "GetItem"]
            assert json.loads(lines[0][3]) == body
            assert (sim.stats()["write_units"] > 0) == applied


with Sim("--generate", "10", "--describe", json.dumps(DESCRIBE)) as s:
    c = s.client()
    check_units(s, c)
    check_lengths(c)
    check_conditions(c, True)
with Sim("--generate", "10", "--no-failed-item") as s:
    check_conditions(s.client(), False)
check_table_throttle()
check_hot_key()
check_applied()
print("writes are right")
