#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What other people's readers make of the output: DuckDB, Node, the zstd tool.
. "$(dirname "$0")/lib.sh"
scenario
"$GEN" 5000 >items.jsonl
"$BIN" export items.jsonl out -m "$SHOP" --quiet
zstd -qt out/*/*.zst
NODE_PATH=$BUILD/node/node_modules node - out >duck.txt <<'JS'
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
    const db = await (await DuckDBInstance.create(':memory:')).connect();
    const out = process.argv[2];
    for (const t of ['customer', 'orders', 'order_line']) {
        const r = await db.runAndReadAll(`select count(*) n from read_json('${out}/${t}/*.jsonl.zst', format='newline_delimited')`);
        console.log(t, String(r.getRows()[0][0]));
    }
    const j = await db.runAndReadAll(`select count(*) from read_json('${out}/orders/*.zst', format='newline_delimited') o
        join read_json('${out}/customer/*.zst', format='newline_delimited') c using (customer_id)`);
    console.log('join', String(j.getRows()[0][0]));
})().catch((e) => { console.error(e); process.exit(1); });
JS
equal "rows seen by DuckDB" "$(cat duck.txt)" "customer 1000
orders 4000
order_line $(zstdcat out/order_line/*.zst | wc -l)
join 4000"
