// SPDX-License-Identifier: MIT
// dynalite on 127.0.0.1. Usage: node dynalite.js PORT_FILE [PORT]; port 0 (the default) lets the
// kernel choose. The port is written to PORT_FILE, whole or not at all, once it listens.
'use strict';
const fs = require('fs');
const path = require('path');

const build = process.env.BUILD || path.join(__dirname, '..', '..', 'build');
const dynalite = require(path.resolve(build, 'node', 'node_modules', 'dynalite'));
const [portFile, port] = process.argv.slice(2);

const server = dynalite({ createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
// A slow machine must not meet a connection that was closed for being idle.
server.keepAliveTimeout = 0;
server.requestTimeout = 0;
server.headersTimeout = 0;
server.listen(Number(port || 0), '127.0.0.1', () => {
    fs.writeFileSync(portFile + '.part', String(server.address().port) + '\n');
    fs.renameSync(portFile + '.part', portFile);
});
process.on('SIGTERM', () => process.exit(0));
