-- SPDX-License-Identifier: MIT
-- Remembers tables as ours, with their columns and the comments they got from the model: others
-- are people's own.
-- $1 schema, $2 tables, $3 run
WITH gone AS (
    DELETE FROM renorm.target AS g
     WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class AS c WHERE c.oid = g.relation)
)
INSERT INTO renorm.target (relation, run, comments)
SELECT c.oid, $3,
       (SELECT jsonb_object_agg(o.name, d.description)
          FROM (SELECT 0 AS place, '' AS name
                UNION ALL
                SELECT a.attnum, a.attname::text
                  FROM pg_catalog.pg_attribute AS a
                 WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS o
          LEFT JOIN pg_catalog.pg_description AS d
            ON d.objoid = c.oid AND d.classoid = 'pg_class'::regclass
           AND d.objsubid = o.place)
  FROM pg_catalog.pg_class AS c
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE n.nspname = $1 AND c.relname = ANY ($2::name[]) AND c.relkind IN ('r', 'p')
    ON CONFLICT (relation) DO UPDATE SET run = excluded.run
