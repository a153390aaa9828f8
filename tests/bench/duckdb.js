// SPDX-License-Identifier: MIT
// The same three outputs by DuckDB: two threads, read_json with its column types given.
// Usage: node duckdb.js OUT GLOB [csv]
const { DuckDBInstance } = require('@duckdb/node-api');
const [out, glob, csv] = process.argv.slice(2);
const S = 'STRUCT(S VARCHAR)', N = 'STRUCT(N VARCHAR)';
const item = `STRUCT(PK ${S}, SK ${S}, "Type" ${S}, CustomerId ${S}, "Name" ${S}, Email ${S},
  Address STRUCT(M STRUCT(City ${S}, Zip ${S}, Street ${S})), Tags STRUCT(SS VARCHAR[]), Active STRUCT(BOOL BOOLEAN),
  Credit ${N}, CreatedAt ${S}, OrderId ${S}, Status ${S}, Total ${N}, PlacedAt ${S}, Note ${S},
  Lines STRUCT(L STRUCT(M STRUCT(Sku ${S}, Qty ${N}, Price ${N}))[]))`;
(async () => {
    const db = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect();
    await db.run(`create temp table t as select Item i from read_json('${glob}', format='newline_delimited', columns={Item: '${item.replace(/'/g, "''")}'})`);
    const copy = (sql, name) => db.run(`copy (${sql}) to '${out}/${name}.${csv ? 'csv' : 'jsonl.zst'}' (${csv ? 'format csv, header' : 'format json, compression zstd'})`);
    await copy(`select substr(i.PK.S, 10) customer_id, i."Name".S "name", i.Email.S email, i.Address.M.City.S address_city,
        i.Address.M.Zip.S address_zip, i.Address.M.Street.S address_street, ${csv ? "'{' || array_to_string(i.Tags.SS, ',') || '}'" : 'i.Tags.SS'} tags, i.Active.BOOL active,
        i.Credit.N::decimal(38,2) credit, i.CreatedAt.S::timestamptz created_at from t where i."Type".S = 'Customer'`, 'customer');
    await copy(`select i.OrderId.S order_id, substr(i.PK.S, 10) customer_id, i.Status.S status, i.Total.N::decimal(38,2) total,
        i.PlacedAt.S::timestamptz placed_at, i.Note.S note from t where i."Type".S = 'Order'`, 'orders');
    await copy(`select order_id, n - 1 line_no, l.M.Sku.S sku, l.M.Qty.N::bigint qty, l.M.Price.N::decimal(38,4) price from
        (select i.OrderId.S order_id, unnest(i.Lines.L) l, generate_subscripts(i.Lines.L, 1) n from t where i."Type".S = 'Order')`, 'order_line');
})().catch((e) => { console.error(e); process.exit(1); });
