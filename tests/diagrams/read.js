// SPDX-License-Identifier: MIT
// Reads diagrams with the tools that they are for, and prints what those understood, a JSON line a
// file: tables with columns and types, the key, and references as "FROM > TO: COLUMNS optional single".
// Usage: node read.js mermaid|dbml|dot FILE... (BUILD names where the packages are)
'use strict'
const { execFileSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const packages = path.resolve(process.env.BUILD, 'node', 'node_modules')

// What no diagram can show is told apart in none of them.
const plain = s => s.replace(/[\x00-\x20\u2028]+/g, ' ').replace(/[\x7f-\x9f\ufffd]/g, '?').trim()

const reference = (from, to, columns, optional, single) =>
  plain(`${from} > ${to}: ${columns}${optional ? ' optional' : ''}${single ? ' single' : ''}`)

function told (tables, references) {
  return JSON.stringify({ tables: Object.fromEntries(tables), references: references.sort() })
}

async function mermaid () {
  const m = (await import(pathToFileURL(path.join(packages, 'mermaid/dist/mermaid.core.mjs')))).default
  // Inside, mermaid keeps "#35;" and "#quot;" as marks until it draws.
  const drawn = s => s.replace(/\ufb02°°(\d+)¶ß/g, (_, n) => String.fromCodePoint(+n))
  return async text => {
    await m.parse(text)
    const { db } = await m.mermaidAPI.getDiagramFromText(text)
    const names = {}
    const tables = [...db.getEntities().values()].map(e => {
      names[e.id] = drawn(e.label)
      const columns = e.attributes.map(a => [plain(drawn(a.comment) || a.name), a.type.replace('_', ' ')])
      const key = e.attributes.flatMap((a, i) => a.keys.includes('PK') ? [columns[i][0]] : [])
      return [plain(names[e.id]), { columns, key }]
    })
    return told(tables, db.getRelationships().map(r => reference(names[r.entityB], names[r.entityA],
      drawn(r.roleA), r.relSpec.cardB === 'ZERO_OR_ONE', r.relSpec.cardA === 'ZERO_OR_ONE')))
  }
}

async function dbml () {
  const { Parser } = require(path.join(packages, '@dbml/core'))
  return async text => {
    const schema = new Parser().parse(text, 'dbmlv2').schemas[0]
    const nullable = {}
    const tables = schema.tables.map(t => {
      const columns = t.fields.map(f => [plain(f.name), f.type.type_name])
      t.fields.forEach(f => { nullable[t.name + '\n' + f.name] = !f.not_null })
      const key = t.fields.filter(f => f.pk).map(f => plain(f.name))
      t.indexes.filter(i => i.pk).forEach(i => key.push(...i.columns.map(c => plain(c.value))))
      return [plain(t.name), { columns, key }]
    })
    return told(tables, schema.refs.map(({ endpoints: [from, to] }) => reference(from.tableName, to.tableName,
      from.fieldNames.join(', '), from.fieldNames.some(f => nullable[from.tableName + '\n' + f]), from.relation === '1')))
  }
}

// Graphviz draws: what is read here are the texts of the drawing, and its edges.
async function dot () {
  const unescape = s => s.replace(/&#(\d+);/g, (_, n) => String.fromCodePoint(+n))
    .replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&amp;/g, '&')
  return async text => {
    const svg = execFileSync('dot', ['-Tsvg'], { input: text, stdio: ['pipe', 'pipe', 'inherit'] }).toString()
    const edges = JSON.parse(execFileSync('dot', ['-Tjson0'], { input: text }))
    const columns = {}
    const names = {}
    const nodes = [...svg.matchAll(/<g id="node\d+"[^>]*>\s*<title>(\w+)<\/title>([\s\S]*?)<\/g>/g)]
    const tables = nodes.sort((a, b) => a[1].slice(1) - b[1].slice(1)).map(([, id, body]) => {
      const [name, ...cells] = [...body.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(t => plain(unescape(t[1])))
      names[id] = name
      columns[id] = []
      const key = []
      for (let i = 0; i < cells.length; i += 3) {
        columns[id].push([cells[i], cells[i + 1]])
        if (cells[i + 2].startsWith('PK')) key.push(cells[i])
      }
      return [name, { columns: columns[id], key }]
    })
    return told(tables, (edges.edges || []).map(e => {
      const [from, to] = [e.tail, e.head].map(n => edges.objects[n].name)
      return reference(names[from], names[to], e.label ? unescape(e.label.replace(/^<|>$/g, '')) : columns[from][+e.tailport.slice(1)][0],
        e.arrowhead === 'teeodot', e.arrowtail === 'teeodot')
    }))
  }
}

(async () => {
  const [format, ...files] = process.argv.slice(2)
  const read = await { mermaid, dbml, dot }[format]()
  for (const file of files) console.log(await read(readFileSync(file, 'utf8')))
})().catch(e => {
  console.error(e.diags ? JSON.stringify(e.diags) : e)
  process.exit(1)
})
