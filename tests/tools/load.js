// SPDX-License-Identifier: MIT
// Fills a table of a DynamoDB endpoint. Usage: node load.js URL TABLE KEYS [FILE|-]...
// KEYS: "PK:S,SK:S" and, after blanks, any number of indexes "GSI1=GSI1PK:S,GSI1SK:S".
// FILE: one item a line in DynamoDB JSON, bare or as {"Item":{...}}; the text of an item goes to
// the server as it stands. The table is made if it is not there; later copies of a key win.
'use strict';
const fs = require('fs');
const http = require('http');
const readline = require('readline');

const [url, table, keys, ...files] = process.argv.slice(2);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function call(op, body) {
    const credential = 'Credential=test/20260101/us-east-1/dynamodb/aws4_request';
    const headers = {
        'Content-Type': 'application/x-amz-json-1.0',
        'X-Amz-Target': 'DynamoDB_20120810.' + op,
        'X-Amz-Date': '20260101T000000Z',
        Authorization: `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
        'Content-Length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
        const request = http.request(url, { method: 'POST', headers, agent }, (response) => {
            const parts = [];
            response.on('data', (part) => parts.push(part));
            response.on('error', reject);
            response.on('end', () => {
                const text = Buffer.concat(parts).toString();
                if (response.statusCode === 200) resolve(JSON.parse(text));
                else reject(new Error(`${op}: ${response.statusCode} ${text}`));
            });
        });
        request.on('error', reject);
        request.end(body);
    });
}

function keySpec(text) {
    const attributes = text.split(',').map((part) => part.split(':'));
    return {
        names: attributes.map(([name]) => name),
        definitions: attributes.map(([name, type]) => ({ AttributeName: name, AttributeType: type || 'S' })),
        schema: attributes.map(([name], i) => ({ AttributeName: name, KeyType: i ? 'RANGE' : 'HASH' })),
    };
}

async function makeTable(main, indexes) {
    const definitions = new Map();
    for (const spec of [main, ...indexes.map((index) => index.spec)])
        for (const d of spec.definitions) definitions.set(d.AttributeName, d);
    const request = {
        TableName: table,
        AttributeDefinitions: [...definitions.values()],
        KeySchema: main.schema,
        BillingMode: 'PAY_PER_REQUEST',
    };
    if (indexes.length)
        request.GlobalSecondaryIndexes = indexes.map(({ name, spec }) => ({
            IndexName: name,
            KeySchema: spec.schema,
            Projection: { ProjectionType: 'ALL' },
        }));
    try {
        await call('CreateTable', JSON.stringify(request));
    } catch (e) {
        if (!/ResourceInUseException/.test(e.message)) throw e;
    }
    for (;;) {
        const { Table } = await call('DescribeTable', JSON.stringify({ TableName: table }));
        if (Table.TableStatus === 'ACTIVE') return;
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

// The text of the item inside {"Item": ...}, found without rewriting it.
function itemText(line) {
    const wrapped = /^\s*\{\s*"Item"\s*:\s*/.exec(line);
    const item = JSON.parse(line);
    if (!wrapped || Object.keys(item).length !== 1) return { text: line, item };
    return { text: line.slice(wrapped[0].length).replace(/\}\s*$/, ''), item: item.Item };
}

async function putAll(main) {
    let batch = new Map();
    let bytes = 0;
    let count = 0;
    async function flush() {
        if (!batch.size) return;
        const puts = [...batch.values()].map((text) => `{"PutRequest":{"Item":${text}}}`);
        let body = `{"RequestItems":{${JSON.stringify(table)}:[${puts.join(',')}]}}`;
        for (;;) {
            const { UnprocessedItems } = await call('BatchWriteItem', body);
            if (!UnprocessedItems || !Object.keys(UnprocessedItems).length) break;
            body = JSON.stringify({ RequestItems: UnprocessedItems });
        }
        batch = new Map();
        bytes = 0;
    }
    for (const file of files.length ? files : ['-']) {
        const input = file === '-' ? process.stdin : fs.createReadStream(file);
        for await (const line of readline.createInterface({ input, crlfDelay: Infinity })) {
            if (!line.trim()) continue;
            const { text, item } = itemText(line);
            const key = JSON.stringify(main.names.map((name) => item[name]));
            if (batch.has(key) || batch.size === 25 || bytes + text.length > 4e6) await flush();
            batch.set(key, text);
            bytes += text.length;
            count++;
        }
        await flush();
    }
    return count;
}

async function run() {
    const [first, ...rest] = keys.trim().split(/\s+/);
    const main = keySpec(first);
    const indexes = rest.map((text) => {
        const at = text.indexOf('=');
        return { name: text.slice(0, at), spec: keySpec(text.slice(at + 1)) };
    });
    await makeTable(main, indexes);
    console.log(`${await putAll(main)} items`);
    agent.destroy();
}

run().catch((e) => {
    console.error(e.message);
    process.exit(1);
});
