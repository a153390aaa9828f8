-- SPDX-License-Identifier: MIT
-- What a run has added, and to which tables. $1 run, $2 names of the tables
INSERT INTO renorm.appended (target, load, run, finished, relations)
SELECT r.target,
       encode(sha256(convert_to(concat_ws(E'\n', r.model_hash, r.options, r.source_identity),
                                'UTF8')), 'hex'),
       r.run, clock_timestamp(),
       (SELECT coalesce(array_agg(c.oid::regclass), '{}')
          FROM pg_catalog.pg_class AS c
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = r.target AND c.relname = ANY ($2::name[]))
  FROM renorm.run AS r
 WHERE r.run = $1
    ON CONFLICT (target, load) DO UPDATE
   SET run = excluded.run, finished = excluded.finished, relations = excluded.relations
