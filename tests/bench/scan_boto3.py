#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A parallel scan as boto3 does it: eight segments in threads, items counted. Usage: URL"""
import concurrent.futures
import sys

import boto3

SEGMENTS = 8


def scan(segment):
    client = boto3.session.Session().client("dynamodb", endpoint_url=sys.argv[1])
    pages = client.get_paginator("scan").paginate(TableName="shop", Segment=segment, TotalSegments=SEGMENTS)
    return sum(len(page["Items"]) for page in pages)


with concurrent.futures.ThreadPoolExecutor(SEGMENTS) as pool:
    print(sum(pool.map(scan, range(SEGMENTS))))
