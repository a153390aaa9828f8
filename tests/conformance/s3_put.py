#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a bucket and puts the files below a folder into it. Usage: s3_put.py URL BUCKET FOLDER"""
import os
import sys

import boto3

url, bucket, folder = sys.argv[1:]
s3 = boto3.client("s3", endpoint_url=url)
s3.create_bucket(Bucket=bucket)
for at, _, names in os.walk(folder):
    for name in names:
        path = os.path.join(at, name)
        with open(path, "rb") as body:
            s3.put_object(Bucket=bucket, Key=os.path.relpath(path, folder), Body=body.read())
