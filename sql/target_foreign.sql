-- SPDX-License-Identifier: MIT
-- Is the foreign key there, and validated? $1 schema, $2 table, $3 constraint
SELECT k.convalidated
  FROM pg_catalog.pg_constraint AS k
  JOIN pg_catalog.pg_class AS c ON c.oid = k.conrelid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE n.nspname = $1 AND c.relname = $2 AND k.conname = $3 AND k.contype = 'f'
