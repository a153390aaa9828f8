-- SPDX-License-Identifier: MIT
-- Has the table a primary key? $1 schema, $2 table
SELECT count(*)
  FROM pg_catalog.pg_constraint AS k
  JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE n.nspname = $1 AND c.relname = $2 AND k.contype = 'p'
