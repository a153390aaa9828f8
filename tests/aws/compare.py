# SPDX-License-Identifier: MIT
"""Signs generated requests with botocore and with our signer; every text must be equal.

usage: compare.py SIGN-PROGRAM COUNT
"""

import json
import random
import subprocess
import sys
from datetime import datetime, timezone
from unittest import mock

import botocore.auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

REGIONS = ["us-east-1", "eu-west-1", "cn-north-1", "us-gov-west-1", "ap-southeast-3"]
PIECES = list("abcXYZ019-._~") + [" ", "%", "+", "/", "=", "&", ":", "é", "日", "*", "(", "'", "$", ","]


def text(rng, low, high, pieces=None):
    return "".join(rng.choice(pieces or PIECES) for _ in range(rng.randint(low, high)))


def encode(value, keep=""):
    return "".join(
        c if (c.isascii() and c.isalnum()) or c in "-._~" + keep else "".join("%%%02X" % b for b in c.encode())
        for c in value
    )


def make(rng):
    service = rng.choice(["dynamodb", "dynamodb", "sts", "s3", "s3"])
    region = rng.choice(REGIONS)
    host = "%s.%s.amazonaws.com" % (service, region)
    if rng.random() < 0.3:
        host = rng.choice(["localhost:8000", "127.0.0.1:4567", "proxy.example:8443"])
    path, query, headers = "/", "", []
    if service == "s3":
        path = "/" + encode(text(rng, 0, 20), keep="/")
        query = "&".join("%s=%s" % (encode(text(rng, 1, 6)), encode(text(rng, 0, 8))) for _ in range(rng.randint(0, 4)))
        if rng.random() < 0.5:
            headers.append(["Range", "bytes=0-%d" % rng.randint(0, 99)])
    else:
        headers.append(["Content-Type", "application/x-amz-json-1.0"])
        headers.append(["X-Amz-Target", "DynamoDB_20120810." + rng.choice(["Scan", "UpdateItem"])])
        if rng.random() < 0.2:
            path = "/some/base" + rng.choice(["", "/", "/more/"])
    for i in range(rng.randint(0, 2)):
        headers.append(["X-Amz-Meta-%d" % i, rng.choice([" two  blanks ", "plain", "a\tb"])])
    return {
        "method": "GET" if service == "s3" else "POST",
        "url": "http%s://%s%s%s" % (rng.choice(["", "s"]), host, path, "?" + query if query else ""),
        "headers": headers,
        "body": "" if service == "s3" else json.dumps({"TableName": text(rng, 1, 9), "n": rng.randint(0, 9)}),
        "region": region,
        "service": service,
        "seconds": rng.randint(0, 4102444800),
        "key_id": "AKID" + text(rng, 4, 12, "ABCDEF0123"),
        "secret": text(rng, 20, 40, "abcXYZ019+/"),
        "token": text(rng, 10, 60, "abcXYZ019+/=") if rng.random() < 0.5 else None,
    }


def sign_theirs(r):
    """Signs with botocore; returns its three texts and what must be signed on our side."""
    moment = datetime.fromtimestamp(r["seconds"], timezone.utc).replace(tzinfo=None)
    clock = mock.Mock()
    clock.datetime.utcnow.return_value = moment
    clock.datetime.now.return_value = moment
    kind = botocore.auth.S3SigV4Auth if r["service"] == "s3" else botocore.auth.SigV4Auth
    auth = kind(Credentials(r["key_id"], r["secret"], r["token"]), r["service"], r["region"])
    request = AWSRequest(r["method"], r["url"], headers=dict(r["headers"]), data=r["body"] or None)
    request.context["payload_signing_enabled"] = True
    with mock.patch.object(botocore.auth, "datetime", clock), mock.patch.object(
        botocore.auth, "get_current_datetime", return_value=moment, create=True
    ):
        texts = {}
        canonical, to_sign = auth.canonical_request, auth.string_to_sign
        auth.canonical_request = lambda q: texts.setdefault("canonical", canonical(q))
        auth.string_to_sign = lambda q, c: texts.setdefault("to_sign", to_sign(q, c))
        auth.add_auth(request)
    texts["authorization"] = request.headers["Authorization"]
    sent = [[k, v] for k, v in request.headers.items() if k.lower() != "authorization"]
    sent.append(["Host", botocore.auth._host_from_url(r["url"])])
    return texts, dict(r, headers=sent, date=request.headers["X-Amz-Date"])


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    rng = random.Random(20260102)
    pairs = [sign_theirs(make(rng)) for _ in range(count)]
    lines = "".join(json.dumps(ours) + "\n" for _, ours in pairs)
    done = subprocess.run([program], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    if len(results) != count:
        sys.exit("%d of %d requests were signed" % (len(results), count))
    for (theirs, request), ours in zip(pairs, results):
        for part in ("canonical", "to_sign", "authorization"):
            if theirs[part] != ours[part]:
                print("request:", json.dumps(request), "\nbotocore:\n%s\nours:\n%s" % (theirs[part], ours[part]))
                sys.exit("%s differs" % part)
    print("%d requests signed alike" % count)


main()
