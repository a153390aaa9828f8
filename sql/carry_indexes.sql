-- SPDX-License-Identifier: MIT
-- Indexes of a target table that the staged one does not have, as statements that make them
-- there. Those behind constraints are not among them. $1 schema, $2 table, $3 staging schema
SELECT replace(pg_get_indexdef(x.indexrelid),
               format(' ON %I.%I USING ', n.nspname, t.relname),
               format(' ON %I.%I USING ', $3::text, t.relname))
  FROM pg_catalog.pg_index AS x
  JOIN pg_catalog.pg_class AS t ON t.oid = x.indrelid
  JOIN pg_catalog.pg_namespace AS n ON n.oid = t.relnamespace
  JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
 WHERE n.nspname = $1 AND t.relname = $2
   AND x.indisvalid
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS c WHERE c.conindid = x.indexrelid)
   AND NOT EXISTS (SELECT FROM pg_catalog.pg_class AS s
                     JOIN pg_catalog.pg_namespace AS m ON m.oid = s.relnamespace
                    WHERE m.nspname = $3 AND s.relname = i.relname)
 ORDER BY i.relname
