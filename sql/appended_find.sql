-- SPDX-License-Identifier: MIT
-- The run that has appended this load already, when, whether its rows are unlogged, and how many of
-- its tables still stand, of how many. A run that has left the ledger is one without segments.
-- $1 target, $2 model, $3 options, $4 source, $5 how old it may be in microseconds, 0: any,
-- $6 names of the tables
SELECT a.run, to_char(a.finished, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), coalesce(r.unlogged, false),
       coalesce(r.segments, 0),
       (SELECT count(*)
          FROM pg_catalog.pg_class AS c
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = a.target AND c.relname = ANY ($6::name[])
           AND c.oid = ANY (a.relations)),
       cardinality(a.relations)
  FROM renorm.appended AS a
  LEFT JOIN renorm.run AS r ON r.run = a.run
 WHERE a.target = $1
   AND a.load = encode(sha256(convert_to(concat_ws(E'\n', $2::text, $3::text, $4::text), 'UTF8')),
                       'hex')
   AND ($5::bigint = 0
        OR a.finished > clock_timestamp() - make_interval(secs => $5::double precision / 1e6))
