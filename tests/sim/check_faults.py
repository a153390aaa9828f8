# SPDX-License-Identifier: MIT
"""Every fault of the simulator, seen by raw bytes; and what one rule's counting means."""
import gzip
import json
import os
import subprocess
import time
import urllib.error
import zlib

from client import SCRATCH, Sim, refused, scan


def with_rule(sim, rule, operation="Scan", **body):
    sim.control("faults", [rule])
    return sim.raw(operation, **(body or {"Limit": 50}))


def check_errors(sim, good):
    for action, status, name in (
            ("throttle", 400, "ProvisionedThroughputExceededException"),
            ("500", 500, "InternalServerError"), ("503", 503, "ServiceUnavailableException"),
            ("expired-token", 400, "ExpiredTokenException"),
            ("refused", 400, "UnrecognizedClientException"),
            ("access-denied", 400, "AccessDeniedException"),
            ("too-large", 413, "RequestEntityTooLargeException"),
            ("error", 400, "ValidationException")):
        answer = with_rule(sim, {"action": action, "operation": "Scan", "times": 1})
        assert (answer.status, answer.error()) == (status, name), answer.body
        assert answer.crc() == zlib.crc32(answer.body)
        assert sim.raw("Scan", Limit=50).body == good
    answer = with_rule(sim, {"action": "throttle", "error": "ThrottlingException", "retry_after_ms": 7,
                             "reason": "TableReadKeyRangeThroughputExceeded"})
    assert answer.error() == "ThrottlingException" and answer.headers["x-amz-retry-after"] == "7"
    assert answer.json()["ThrottlingReasons"][0]["reason"] == "TableReadKeyRangeThroughputExceeded"
    answer = with_rule(sim, {"action": "html"})
    assert answer.status == 502 and answer.headers["content-type"] == "text/html"


def check_endings(sim, good):
    for action, end, length in (
            ("reset-before", "rst", 0), ("close-before", "fin", 0), ("reset-after", "rst", 0),
            ("reset-in-body", "rst", None), ("truncate", "fin", len(good) // 2),
            ("reset-after-body", "full", len(good)), ("close-after-body", "full", len(good))):
        answer = with_rule(sim, {"action": action, "nth": 1})
        assert answer.end == end, (action, answer.end)
        assert length is None or len(answer.body) == length, (action, len(answer.body))
        assert len(answer.body) in (0, len(good)) or good.startswith(answer.body)
        assert sim.raw("Scan", Limit=50).body == good
    for action in ("stall", "stall-in-body"):
        sim.control("faults", [{"action": action, "times": 1}])
        with sim.connect() as connection:
            sim.send(connection, "Scan", {"TableName": "shop", "Limit": 50})
            while sim.stats()["rules"][0]["fired"] == 0:
                pass
            assert sim.raw("Scan", Limit=50).body == good
            connection.setblocking(False)
            got = b""
            try:
                got = connection.recv(1 << 20)
                assert got and action == "stall-in-body"
            except BlockingIOError:
                pass
            assert len(got) < len(good)


def check_bodies(sim, good):
    answer = with_rule(sim, {"action": "corrupt"})
    assert answer.body != good and answer.json() and answer.crc() == zlib.crc32(good)
    answer = with_rule(sim, {"action": "corrupt", "crc": "right"})
    assert answer.crc() == zlib.crc32(answer.body)
    try:
        raise AssertionError(answer.json())
    except ValueError:
        pass
    answer = with_rule(sim, {"action": "wrong-crc"})
    assert answer.body == good and answer.crc() != zlib.crc32(good)
    answer = with_rule(sim, {"action": "no-crc"})
    assert answer.body == good and "x-amz-crc32" not in answer.headers
    answer = with_rule(sim, {"action": "gzip"})
    assert gzip.decompress(answer.body) == good and answer.crc() == zlib.crc32(answer.body)
    answer = with_rule(sim, {"action": "gzip-lie"})
    assert answer.body == good and answer.headers["content-encoding"] == "gzip"
    answer = with_rule(sim, {"action": "content-type", "value": "text/odd"})
    assert answer.body == good and answer.headers["content-type"] == "text/odd"
    answer = with_rule(sim, {"action": "oversized", "bytes": 3000000})
    assert answer.status == 200 and len(answer.body) > 3000000
    for rule, least in (({"action": "drip", "bytes": len(good) // 4, "ms": 50}, 0.15),
                        ({"action": "delay", "ms": 200}, 0.2)):
        began = time.monotonic()
        assert with_rule(sim, rule).body == good
        assert time.monotonic() - began >= least, rule


def check_pages(sim, good):
    first = with_rule(sim, {"action": "empty-page", "times": 1}).json()
    assert first["Items"] == [] and first["Count"] == 0
    key = first["LastEvaluatedKey"]
    assert sim.raw("Scan", Limit=50, ExclusiveStartKey=key).body == good
    last = json.loads(good)["LastEvaluatedKey"]
    again = with_rule(sim, {"action": "empty-page", "times": 1}, Limit=50, ExclusiveStartKey=last)
    key = again.json()["LastEvaluatedKey"]
    assert key != last and key.keys() == last.keys()
    rest = sim.raw("Scan", Limit=50, ExclusiveStartKey=key).body
    assert rest == sim.raw("Scan", Limit=50, ExclusiveStartKey=last).body
    given = with_rule(sim, {"action": "last-key", "times": 1, "value": "[]"}).json()
    assert given == {**json.loads(good), "LastEvaluatedKey": []}


def check_counting(sim):
    def fires(rule):
        sim.control("faults", [rule])
        return [i for i in range(1, 13) if sim.raw("Scan", Limit=1, Segment=i % 3, TotalSegments=3).status == 500]

    base = {"action": "500"}
    assert fires({**base, "nth": 4}) == [4]
    assert fires({**base, "every": 5}) == [5, 10]
    assert fires({**base, "after": 10}) == [11, 12]
    assert fires({**base, "times": 2}) == [1, 2]
    assert fires({**base, "segment": 1}) == [1, 4, 7, 10]
    assert fires({**base, "operation": "GetItem"}) == []
    assert fires({**base, "probability": 0}) == []
    some = fires({**base, "probability": 0.5, "seed": 3})
    assert 0 < len(some) < 12 and some == fires({**base, "probability": 0.5, "seed": 3})
    for bad in (b'[{"action":"nope"}]', b'{"action":"500","oops":1}', b'{"nth":1}', b"x"):
        try:
            sim.control("faults", bad)
            raise AssertionError(bad)
        except urllib.error.HTTPError as error:
            assert error.code == 400
    sim.control("faults")


def check_state(sim, good):
    describe = {"operation": "DescribeTable"}
    table = with_rule(sim, {"action": "resize", "rcu": 77, "wcu": 5}, **describe, Any=1).json()["Table"]
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 77
    table = with_rule(sim, {"action": "on-demand"}, **describe, Any=1).json()["Table"]
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert with_rule(sim, {"action": "delete-table"}).error() == "ResourceNotFoundException"
    reborn = with_rule(sim, {"action": "recreate-table"}, **describe, Any=1).json()["Table"]
    assert reborn["TableId"] != table["TableId"]
    sim.control("faults")
    sim.control("table", {"deleted": True})
    assert sim.raw("Scan").error() == "ResourceNotFoundException"
    sim.control("table", {"deleted": False, "on_demand": False})
    assert sim.raw("Scan", Limit=50).body == good


def check_writes(sim, good):
    key = json.loads(good)["LastEvaluatedKey"]
    write = {"operation": "UpdateItem", "Key": key, "UpdateExpression": "SET z = :z",
             "ExpressionAttributeValues": {":z": {"S": "1"}}}

    def written(rule):
        sim.control("faults")
        sim.raw("UpdateItem", Key=key, UpdateExpression="REMOVE z")
        with_rule(sim, {"operation": "UpdateItem", **rule}, **write)
        return "z" in sim.raw("GetItem", Key=key).json()["Item"]

    assert not written({"action": "500"})
    assert not written({"action": "throttle"})
    assert not written({"action": "reset-before"})
    assert written({"action": "500", "apply": True})
    assert written({"action": "reset-after"})
    assert written({"action": "truncate"})
    sim.control("faults")


def check_buckets():
    with Sim("--generate", "20000", "--partition-rcu", "0.01", auth=False) as sim:
        assert sim.raw("Scan").status == 200
        answer = sim.raw("Scan")
        assert answer.error() == "ProvisionedThroughputExceededException"
        assert "KeyRange" in answer.json()["ThrottlingReasons"][0]["reason"]
        sim.control("table", {"partition_rcu": 1000000})
        while sim.raw("Scan").status != 200:
            pass
        assert sim.stats()["throttled"] >= 1


def check_credentials():
    with Sim("--generate", "10", "--skew", "3600") as sim:
        # this version of the library does not correct its clock
        refused(sim.client().list_tables, "InvalidSignatureException")
        sim.control("table", {"skew": 0})
        sim.client().list_tables()
    rule = '{"token":"T1","after":2,"action":"expired-token"}'
    with Sim("--credentials", "A1:S1:T1", "--credentials", "A2:S2:T2", "--fault", rule) as sim:
        old, new = sim.client("A1", "S1", "T1"), sim.client("A2", "S2", "T2")
        old.list_tables()
        old.list_tables()
        refused(old.list_tables, "ExpiredTokenException")
        refused(old.list_tables, "ExpiredTokenException")
        new.list_tables()


def check_tls():
    cert, key = os.path.join(SCRATCH, "cert.pem"), os.path.join(SCRATCH, "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key,
                    "-out", cert, "-days", "2", "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, stderr=subprocess.DEVNULL)
    rules = ('[{"action":"reset-in-body","nth":2},{"action":"drip","bytes":100000,"nth":4},'
             '{"action":"truncate","nth":5},{"action":"reset-before","nth":7}]')
    with Sim("--generate", "12000", "--tls", cert, "--tls-key", key, "--gzip", "--fault", rules) as sim:
        assert len(scan(sim.client(attempts=5, verify=cert))) == 12000


def check_books(sim):
    sim.control("flush")
    with open(sim.books, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    assert len(lines) == sim.stats()["requests"]
    assert all(len(line) == 9 for line in lines)
    total = sum(float(line[3]) for line in lines)
    stats = sim.stats()
    assert abs(total - stats["read_units"] - stats["write_units"]) < 0.01
    assert any(line[5:7] == ["InternalServerError", "500"] for line in lines)


with Sim("--generate", "500", auth=False) as s:
    page = s.raw("Scan", Limit=50).body
    assert json.loads(page)["Count"] == 50
    check_errors(s, page)
    check_endings(s, page)
    check_bodies(s, page)
    check_pages(s, page)
    check_counting(s)
    check_state(s, page)
    check_writes(s, page)
    check_books(s)
check_buckets()
check_credentials()
check_tls()
print("the faults are right")
