#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts items one by one into a table and prints those that the server took, the last copy of each
key. Usage: put.py URL TABLE KEY[,KEY] <items >taken"""
import http.client
import json
import sys
import urllib.parse

url, table, keys = sys.argv[1:]
keys = keys.split(",")
server = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc)
credential = "Credential=test/20260101/us-east-1/dynamodb/aws4_request"
headers = {
    "Content-Type": "application/x-amz-json-1.0",
    "X-Amz-Target": "DynamoDB_20120810.PutItem",
    "X-Amz-Date": "20260101T000000Z",
    "Authorization": f"AWS4-HMAC-SHA256 {credential}, SignedHeaders=host, Signature={'0' * 64}",
}
taken = {}
for line in sys.stdin:
    try:
        item = json.loads(line)
    except ValueError:
        continue
    if set(item) == {"Item"}:
        item = item["Item"]
    body = json.dumps({"TableName": table, "Item": item})
    server.request("POST", "/", body, headers)
    answer = server.getresponse()
    answer.read()
    if answer.status == 200:
        taken[json.dumps([item[k] for k in keys])] = item
for item in taken.values():
    print(json.dumps(item, separators=(",", ":")))
