// SPDX-License-Identifier: MIT
// Validates model files against docs/model.schema.json. One line a file: "ok FILE", or
// "bad FILE: what is wrong". Usage: node schema.js SCHEMA FILE... (NODE_PATH names the packages)
'use strict';
const fs = require('fs');
const Ajv = require('ajv');

// Models are JSON with comments and trailing commas: strings are kept, the rest is cleaned.
function plain(text) {
    const tokens = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*[\]}])/g;
    return text.replace(tokens, (t) => (t[0] === '"' ? t : ''));
}

const [schema, ...files] = process.argv.slice(2);
const ajv = new Ajv({ strict: true, allowUnionTypes: true, strictTypes: false, allErrors: true });
const valid = ajv.compile(JSON.parse(fs.readFileSync(schema, 'utf8')));
for (const file of files) {
    if (valid(JSON.parse(plain(fs.readFileSync(file, 'utf8')))))
        console.log(`ok ${file}`);
    else
        console.log(`bad ${file}: ${ajv.errorsText(valid.errors.slice(0, 3))}`);
}
