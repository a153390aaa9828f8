// SPDX-License-Identifier: MIT
// A parallel scan as a Node client does it: eight segments, items counted. Usage: node scan_node.js URL
'use strict';
const { DynamoDBClient } = require('@aws-sdk/client-dynamodb');
const { DynamoDBDocument } = require('@aws-sdk/lib-dynamodb');
const { parallelScanAsStream } = require('@shelf/dynamodb-parallel-scan');

async function run() {
    const client = DynamoDBDocument.from(new DynamoDBClient({ endpoint: process.argv[2] }));
    const stream = await parallelScanAsStream(
        { TableName: 'shop' },
        { concurrency: 8, chunkSize: 1000, highWaterMark: 1000, client },
    );
    let count = 0;
    for await (const items of stream) count += items.length;
    console.log(count);
}

run().catch((e) => {
    console.error(e);
    process.exit(1);
});
