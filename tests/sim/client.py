# SPDX-License-Identifier: MIT
"""Starting the simulator and talking to it: by boto3, and by raw bytes that hide nothing."""
import json
import os
import socket
import subprocess
import urllib.request

import boto3
from botocore.config import Config

SIM = os.path.join(os.environ["OBJDIR"], "tests/sim/sim")
SCRATCH = os.environ["SCRATCH"]
# ends a hung test, nothing else
LIMIT = 120


def teach(client):
    """Debian 12's botocore is older than the item in a failed condition: add it to its model."""
    shapes = client.meta.service_model._service_description["shapes"]
    shapes["UpdateItemInput"]["members"].setdefault(
        "ReturnValuesOnConditionCheckFailure", {"shape": "ReturnValuesOnConditionCheckFailure"})
    shapes["ConditionalCheckFailedException"]["members"].setdefault("Item", {"shape": "AttributeMap"})


class Sim:
    def __init__(self, *options, auth=True):
        secret = ["--credentials", "AKID:SECRET"] if auth else ["--no-auth"]
        self.books = os.path.join(SCRATCH, "books.tsv")
        self.process = subprocess.Popen(
            [SIM, "--books", self.books, *secret, *options], stdout=subprocess.PIPE, text=True)
        word, port = self.process.stdout.readline().split()
        assert word == "listening"
        self.port = int(port)
        self.scheme = "https" if "--tls" in options else "http"

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.process.terminate()
        status = self.process.wait()
        assert kind or status == 0, f"the simulator ended with status {status}"

    def client(self, key_id="AKID", secret="SECRET", token=None, attempts=1, verify=None):
        client = boto3.client(
            "dynamodb", region_name="us-east-1", endpoint_url=f"{self.scheme}://127.0.0.1:{self.port}",
            aws_access_key_id=key_id, aws_secret_access_key=secret, aws_session_token=token,
            verify=verify, config=Config(retries={"total_max_attempts": attempts, "mode": "standard"},
                                         read_timeout=LIMIT))
        teach(client)
        return client

    def control(self, name, body=b""):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.port}/__sim/{name}"
        with urllib.request.urlopen(urllib.request.Request(url, data=data, method="POST"),
                                    timeout=LIMIT) as answer:
            return answer.read()

    def stats(self):
        return json.loads(self.control("stats"))

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT)

    def send(self, connection, operation, body):
        text = json.dumps(body).encode()
        head = (f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
                f"X-Amz-Target: DynamoDB_20120810.{operation}\r\n"
                f"Content-Length: {len(text)}\r\n\r\n")
        connection.sendall(head.encode() + text)

    def raw(self, operation, **body):
        """Sends one unsigned request on a connection of its own."""
        with self.connect() as connection:
            self.send(connection, operation, {"TableName": "shop", **body})
            return Answer(connection)


class Answer:
    """What came, and how it ended: full, fin or rst."""

    def __init__(self, connection):
        data, self.end, self.status, self.headers, self.body = b"", "full", 0, {}, b""
        while not self.whole(data):
            try:
                more = connection.recv(1 << 20)
            except ConnectionResetError:
                self.end = "rst"
                break
            if not more:
                self.end = "fin"
                break
            data += more
        if b"\r\n\r\n" in data:
            self.split(data)

    def split(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:])}

    def whole(self, data):
        if b"\r\n\r\n" not in data:
            return False
        self.split(data)
        return len(self.body) >= int(self.headers["content-length"])

    def json(self):
        return json.loads(self.body)

    def error(self):
        return self.json()["__type"].split("#")[1]

    def crc(self):
        return int(self.headers["x-amz-crc32"])


def scan(client, segment=None, total=None, **more):
    """All items of a segment."""
    call, items = {"TableName": "shop", **more}, []
    if total:
        call.update(Segment=segment, TotalSegments=total)
    while True:
        page = client.scan(**call)
        assert page["Count"] == len(page["Items"])
        items += page["Items"]
        if "LastEvaluatedKey" not in page:
            return items
        call["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def sort(items):
    return sorted(items, key=lambda item: json.dumps(item, sort_keys=True, default=str))


def refused(client_call, code):
    """The call must fail with this error; returns it."""
    from botocore.exceptions import ClientError
    try:
        client_call()
    except ClientError as error:
        assert error.response["Error"]["Code"] == code, error
        return error
    raise AssertionError(f"{code} was expected")
