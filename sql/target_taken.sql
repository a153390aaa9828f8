-- SPDX-License-Identifier: MIT
-- Names that keys and indexes shall have, taken by what is not an index of a table of the model.
-- $1 schema, $2 names, $3 tables
SELECT format('"%s"', c.relname)
  FROM pg_catalog.pg_class AS c
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE n.nspname = $1 AND c.relname = ANY ($2::name[])
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_index AS x
                     JOIN pg_catalog.pg_class AS t ON t.oid = x.indrelid
                    WHERE x.indexrelid = c.oid AND t.relname = ANY ($3::name[]))
 ORDER BY c.relname
