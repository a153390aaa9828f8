#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The same conditional updates as boto3 does them: one scan, 16 threads. The environment names the endpoint."""
import concurrent.futures
import os

import boto3
from botocore.config import Config

THREADS = 16
client = boto3.client("dynamodb", endpoint_url=os.environ["AWS_ENDPOINT_URL"], config=Config(max_pool_connections=THREADS))
NAMES = {"#p": "PK", "#g": "GSI1PK", "#h": "GSI1SK", "#s": "Status", "#a": "PlacedAt"}
CONDITION = ("attribute_exists(#p) AND attribute_not_exists(#g) AND attribute_not_exists(#h) AND #s = :s AND #a = :a")


def update(item):
    order = item["SK"]["S"][len("#ORDER#"):]
    client.update_item(
        TableName="shop", Key={"PK": item["PK"], "SK": item["SK"]}, UpdateExpression="SET #g = :g, #h = :h",
        ConditionExpression=CONDITION, ExpressionAttributeNames=NAMES, ReturnConsumedCapacity="INDEXES",
        ExpressionAttributeValues={":g": {"S": "STATUS#" + item["Status"]["S"]}, ":s": item["Status"],
                                   ":h": {"S": item["PlacedAt"]["S"] + "#" + order}, ":a": item["PlacedAt"]})


def orders():
    for page in client.get_paginator("scan").paginate(TableName="shop"):
        yield from (item for item in page["Items"] if item["Type"]["S"] == "Order")


with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
    waiting, n = set(), 0
    for item in orders():
        waiting.add(pool.submit(update, item))
        n += 1
        if len(waiting) >= 4 * THREADS:
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                future.result()
    for future in waiting:
        future.result()
print(n)
