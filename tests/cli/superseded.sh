# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# a held run does not block the next night: a newer source takes its place, and the sheet says so
cp "$TESTS/data/small.json" .
customers() { seq "$1" | sed 's/.*/{"PK":{"S":"CUSTOMER#&"},"SK":{"S":"A"},"Type":{"S":"Customer"}}/'; }
go() {
    renorm export "$@" out --workers 1 >sheet 2>err
    echo "[$?] $* $(jq -c '[.tables[0].rows, .supersedes]' out/manifest.json | sed 's/begun [0-9TZ:.-]*/begun TIME/')"
    grep -hE 'held|gave way|hint' sheet err | sed 's/begun [0-9TZ:.-]*/begun TIME/; s/^/    /'
}
customers 200 >1.jsonl
customers 20 >2.jsonl
customers 190 >3.jsonl
customers 180 >0.jsonl
for i in 0 1 2 3; do touch -d "2026-01-0$((i + 1))T02:00:00Z" $i.jsonl; done
go 1.jsonl -m small.json
go 2.jsonl -m small.json
echo '-- an older source, and another model, are refused as ever'
go 0.jsonl -m small.json
sed 's/"age": "integer"/"age": "bigint"/' small.json >other.json
go 2.jsonl -m other.json
echo '-- the next night'
go 3.jsonl -m small.json
echo '-- the next night, with a mended model'
go 2.jsonl -m small.json
touch -d '2026-01-05T02:00:00Z' 3.jsonl
go 3.jsonl -m other.json
echo '-- exports go by their own time'
night() { # night NAME TIME ITEMS
    mkdir -p "$1/data"
    customers "$3" | sed 's/.*/{"Item":&}/' | gzip -n >"$1/data/a.json.gz"
    printf '{"itemCount":%d,"md5Checksum":"%s","dataFileS3Key":"x/data/a.json.gz"}\n' "$3" \
        "$(openssl md5 -binary "$1/data/a.json.gz" | base64)" >"$1/manifest-files.json"
    printf '{"exportArn":"arn:%s","exportTime":"%s","itemCount":%d,"outputFormat":"DYNAMODB_JSON"}\n' "$1" "$2" "$3" >"$1/manifest-summary.json"
}
night mon 2026-02-02T02:00:00.000Z 20
night sun 2026-02-01T02:00:00.000Z 200
night tue 2026-02-03T02:00:00.000Z 201
go mon -m other.json
go sun -m other.json
go tue -m other.json
