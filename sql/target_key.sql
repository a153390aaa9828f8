-- SPDX-License-Identifier: MIT
-- The columns of a table's primary key, none if it has no key. $1 schema, $2 table
SELECT a.attname
  FROM pg_catalog.pg_constraint AS k
  JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 CROSS JOIN LATERAL unnest(k.conkey) WITH ORDINALITY AS u (attnum, i)
  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = u.attnum
 WHERE n.nspname = $1 AND c.relname = $2 AND k.contype = 'p'
 ORDER BY u.i
