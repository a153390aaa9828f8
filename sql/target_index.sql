-- SPDX-License-Identifier: MIT
-- Is there an index that begins with these columns, in any order? $1 schema, $2 table, $3 columns
SELECT EXISTS (
    SELECT
      FROM pg_catalog.pg_index AS x
      JOIN pg_catalog.pg_class AS c ON c.oid = x.indrelid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2 AND x.indisvalid AND x.indpred IS NULL
       AND (SELECT array_agg(a.attname ORDER BY a.attname)
              FROM unnest(x.indkey::int2[]) WITH ORDINALITY AS k (attnum, i)
              JOIN pg_catalog.pg_attribute AS a
                ON a.attrelid = c.oid AND a.attnum = k.attnum
             WHERE k.i <= cardinality($3::name[]))
         = (SELECT array_agg(u.name ORDER BY u.name) FROM unnest($3::name[]) AS u (name)))
