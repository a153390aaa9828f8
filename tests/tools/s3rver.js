// SPDX-License-Identifier: MIT
// s3rver on 127.0.0.1 with the files of a folder as objects of a bucket. Usage: node s3rver.js
// PORT_FILE FOLDER DATA BUCKET. The port is written to PORT_FILE, whole or not at all, once all
// objects are there.
'use strict';
const fs = require('fs');
const http = require('http');
const path = require('path');

const build = process.env.BUILD || path.join(__dirname, '..', '..', 'build');
const S3rver = require(path.resolve(build, 'node', 'node_modules', 's3rver'));
const [portFile, folder, data, bucket] = process.argv.slice(2);

const files = (at) => fs.readdirSync(path.join(folder, at), { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? files(path.join(at, e.name)) : [path.join(at, e.name)]);

const put = (port, key) => new Promise((resolve, reject) => {
    const where = '/' + bucket + '/' + key.split('/').map(encodeURIComponent).join('/');
    const body = fs.readFileSync(path.join(folder, key));
    const req = http.request({ port, host: '127.0.0.1', method: 'PUT', path: where,
        headers: { 'content-length': body.length } }, (res) => {
        res.resume();
        res.on('end', () => (res.statusCode === 200 ? resolve() : reject(new Error(where + ': ' + res.statusCode))));
    });
    req.on('error', reject);
    req.end(body);
});

(async () => {
    const server = new S3rver({ port: 0, address: '127.0.0.1', directory: data, silent: true,
        configureBuckets: [{ name: bucket }] });
    const { port } = await server.run();
    for (const key of files('.')) await put(port, key);
    fs.writeFileSync(portFile + '.part', String(port) + '\n');
    fs.renameSync(portFile + '.part', portFile);
})();
process.on('SIGTERM', () => process.exit(0));
