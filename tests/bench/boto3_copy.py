# SPDX-License-Identifier: MIT
"""The usual script: boto3's deserializer, a dictionary per item, CSV into COPY."""
import csv
import glob
import gzip
import io
import json
import subprocess
import sys

from boto3.dynamodb.types import TypeDeserializer

TABLES = {
    "customer": ["customer_id", "name", "email", "address_city", "address_zip", "address_street",
                 "active", "credit", "created_at"],
    "orders": ["order_id", "customer_id", "status", "total", "placed_at", "note"],
    "order_line": ["order_id", "line_no", "sku", "qty", "price"],
}


def rows(item):
    if item["Type"] == "Customer":
        a = item["Address"]
        yield "customer", [item["PK"][9:], item["Name"], item["Email"], a["City"], a["Zip"], a["Street"],
                           item["Active"], item["Credit"], item["CreatedAt"]]
        return
    yield "orders", [item["OrderId"], item["PK"][9:], item["Status"], item["Total"], item["PlacedAt"], item["Note"]]
    for n, line in enumerate(item["Lines"]):
        yield "order_line", [item["OrderId"], n, line["Sku"], line["Qty"], line["Price"]]


def main(url, folder):
    load = TypeDeserializer().deserialize
    texts = {t: io.StringIO() for t in TABLES}
    writers = {t: csv.writer(f) for t, f in texts.items()}
    for path in glob.glob(folder + "/*.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                item = {k: load(v) for k, v in json.loads(line)["Item"].items()}
                for table, row in rows(item):
                    writers[table].writerow(row)
    for table, columns in TABLES.items():
        subprocess.run(["psql", "-Xq", url, "-c", f"copy floor.{table} ({','.join(columns)}) from stdin (format csv)"],
                       input=texts[table].getvalue().encode(), check=True)


main(*sys.argv[1:])
