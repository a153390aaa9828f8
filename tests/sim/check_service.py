# SPDX-License-Identifier: MIT
"""The simulator as a well-behaved service, seen by boto3 with real signatures."""
import json
import os
import subprocess

from client import SCRATCH, SIM, Sim, refused, scan, sort


def key_of(item):
    return {"PK": item["PK"], "SK": item["SK"]}


def check_scan(sim, client):
    table = client.describe_table(TableName="shop")["Table"]
    assert table["ItemCount"] == 3000
    assert 500 <= table["TableSizeBytes"] / 3000 <= 600, table["TableSizeBytes"]
    items = scan(client)
    assert len({json.dumps(key_of(i)) for i in items}) == 3000
    for total in (1, 4, 7, 64):
        parts = [item for n in range(total) for item in scan(client, n, total, Limit=300)]
        assert sort(parts) == sort(items), total
    page = client.scan(TableName="shop", ReturnConsumedCapacity="TOTAL")
    assert 0 < 128.5 - page["ConsumedCapacity"]["CapacityUnits"] <= 1, page["ConsumedCapacity"]
    page = client.scan(TableName="shop", Limit=1, ConsistentRead=True, ReturnConsumedCapacity="TOTAL")
    assert page["ConsumedCapacity"]["CapacityUnits"] == 1
    assert client.scan(TableName="shop", Select="COUNT", Limit=7)["Count"] == 7
    found = scan(client, FilterExpression="#t = :c", ProjectionExpression="PK,#t",
                 ExpressionAttributeNames={"#t": "Type"},
                 ExpressionAttributeValues={":c": {"S": "Customer"}})
    assert len(found) == 300 and all(set(i) == {"PK", "Type"} for i in found)
    assert sort(json.loads(line)["Item"] for line in sim.control("dump").splitlines()) == sort(items)
    stranger = next(i for i in items if i["PK"] != items[0]["PK"])
    refusals = 0
    for segment in range(64):
        try:
            client.scan(TableName="shop", Segment=segment, TotalSegments=64,
                        ExclusiveStartKey=key_of(stranger))
        except client.exceptions.ClientError:
            refusals += 1
    assert refusals == 63
    return items


def check_update(client, item):
    key = key_of(item)
    call = {
        "TableName": "shop", "Key": key, "UpdateExpression": "SET #g = :g, #h = :h REMOVE Note",
        "ConditionExpression": "attribute_exists(#pk) AND attribute_not_exists(#g) AND #t = :t",
        "ExpressionAttributeNames": {"#g": "GSI1PK", "#h": "GSI1SK", "#pk": "PK", "#t": "Type"},
        "ExpressionAttributeValues": {":g": {"S": "x"}, ":h": {"N": "1"}, ":t": item["Type"]},
        "ReturnConsumedCapacity": "INDEXES", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    answer = client.update_item(**call)
    assert answer["ConsumedCapacity"]["CapacityUnits"] == 3, answer["ConsumedCapacity"]
    assert answer["ConsumedCapacity"]["GlobalSecondaryIndexes"]["GSI1"]["CapacityUnits"] == 1
    wanted = {**item, "GSI1PK": {"S": "x"}, "GSI1SK": {"N": "1"}}
    del wanted["Note"]
    assert client.get_item(TableName="shop", Key=key)["Item"] == wanted
    failure = refused(lambda: client.update_item(**call), "ConditionalCheckFailedException")
    assert failure.response["Item"] == wanted
    missing = {"PK": {"S": "nobody"}, "SK": {"S": "A"}}
    refused(lambda: client.update_item(**{**call, "Key": missing}), "ConditionalCheckFailedException")
    assert "Item" not in client.get_item(TableName="shop", Key=missing)
    assert scan(client, IndexName="GSI1") == [wanted]
    for expression, values in (("SET PK = :a", {":a": {"S": "q"}}), ("SET a = :b", {":a": {"S": "q"}}),
                               ("SET a = :a", {":a": {"S": "q"}, ":b": {"S": "q"}}),
                               ("SET GSI1PK = :a", {":a": {"N": "1"}}), ("SET", None)):
        more = {"ExpressionAttributeValues": values} if values else {}
        refused(lambda e=expression, m=more: client.update_item(
            TableName="shop", Key=key, UpdateExpression=e, **m), "ValidationException")
    assert client.get_item(TableName="shop", Key=key)["Item"] == wanted


def check_put_delete(client):
    item = {"PK": {"S": "new"}, "SK": {"S": "n"}, "b": {"B": b"abc"}, "l": {"L": [{"N": "1"}]}}
    client.put_item(TableName="shop", Item=item)
    assert client.get_item(TableName="shop", Key=key_of(item))["Item"] == item
    client.delete_item(TableName="shop", Key=key_of(item))
    assert "Item" not in client.get_item(TableName="shop", Key=key_of(item))


def check_signatures(sim, client):
    refused(sim.client(secret="wrong").list_tables, "InvalidSignatureException")
    refused(sim.client(key_id="OTHER").list_tables, "UnrecognizedClientException")
    refused(sim.client(token="T").list_tables, "UnrecognizedClientException")
    refused(lambda: client.scan(TableName="other"), "ResourceNotFoundException")
    assert sim.raw("ListTables").error() == "MissingAuthenticationTokenException"


def check_keys():
    """Binary and number keys, numbers in the order of their value."""
    path = os.path.join(SCRATCH, "keys.jsonl")
    numbers = ["-1E3", "-10", "-9.5", "0", "0.001", "2", "10", "1E20"]
    with open(path, "w", encoding="utf-8") as file:
        for n in reversed(numbers):
            file.write(json.dumps({"b": {"B": "AQI="}, "n": {"N": n}}) + "\n")
    with Sim("--items", path, "--key", "b,n") as sim:
        client = sim.client()
        items = scan(client, Limit=1)
        assert [i["n"]["N"] for i in items] == numbers, items
        key = {"b": {"B": b"\x01\x02"}, "n": {"N": "-1000"}}
        assert client.get_item(TableName="shop", Key=key)["Item"]["n"]["N"] == "-1E3"
        types = client.describe_table(TableName="shop")["Table"]["AttributeDefinitions"]
        assert [t["AttributeType"] for t in types] == ["B", "N"]


def check_canned():
    options = ["--generate", "9000", "--canned", "--canned-pages", "3", "--canned-items", "20123"]
    with Sim(*options) as sim:
        client = sim.client()
        served = [item for n in range(5) for item in scan(client, n, 5)]
        assert client.describe_table(TableName="shop")["Table"]["ItemCount"] == 20123
    path = os.path.join(SCRATCH, "canned.jsonl")
    subprocess.run([SIM, *options, "--dump", path], check=True)
    with open(path, encoding="utf-8") as file:
        assert [json.loads(line)["Item"] for line in file] == served


def check_books():
    path = os.path.join(SCRATCH, "made.tsv")

    def verdict(lines, *options):
        with open(path, "w", encoding="utf-8") as file:
            for at, units in lines:
                file.write(f"{at}\tScan\t0\t{units}\t200\tok\t-\n")
        return subprocess.run([SIM, "--check-books", path, "--rate", "10", *options],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    even = [(i * 1000000, 10) for i in range(30)]
    assert verdict(even) == 0
    assert verdict(even + [(5500000, 21)], "--page-units", "1") == 1
    assert verdict(even + [(5500000, 21)], "--page-units", "1", "--check-op", "GetItem") == 0
    assert verdict(even + [(5500000, 21)], "--page-units", "1", "--slack", "3") == 0


INDEX = {"GlobalSecondaryIndexes": [{
    "IndexName": "GSI1", "IndexStatus": "ACTIVE", "Projection": {"ProjectionType": "ALL"},
    "KeySchema": [{"AttributeName": "GSI1PK", "KeyType": "HASH"},
                  {"AttributeName": "GSI1SK", "KeyType": "RANGE"}]}],
    "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"},
                             {"AttributeName": "SK", "AttributeType": "S"},
                             {"AttributeName": "GSI1PK", "AttributeType": "S"},
                             {"AttributeName": "GSI1SK", "AttributeType": "N"}]}

with Sim("--generate", "3000", "--describe", json.dumps(INDEX), "--ttl", "Expires", "--pitr") as s:
    c = s.client()
    big = max(check_scan(s, c), key=lambda i: len(json.dumps(i)))
    big = {**big, "Filling": {"S": "x" * 600}}
    c.put_item(TableName="shop", Item=big)
    check_update(c, big)
    check_put_delete(c)
    check_signatures(s, c)
    assert c.describe_time_to_live(TableName="shop")["TimeToLiveDescription"]["AttributeName"] == "Expires"
    assert "ENABLED" in str(c.describe_continuous_backups(TableName="shop"))
check_keys()
check_canned()
check_books()
print("the service is right")
