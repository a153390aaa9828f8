-- SPDX-License-Identifier: MIT
-- Views and indexes over columns that the model has no more: they could not be made again; and
-- columns that the model never had, whose values nobody could bring back.
-- $1 schema, $2 tables of the model and $3 their columns, pair by pair
WITH RECURSIVE m (relname, attname) AS (
    SELECT * FROM unnest($2::name[], $3::name[])
), t AS (
    SELECT c.oid, c.relname
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')
       AND c.relname IN (SELECT relname FROM m)
), gone AS (
    SELECT t.oid, a.attnum, a.attname
      FROM t
      JOIN pg_catalog.pg_attribute AS a
        ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE NOT EXISTS (SELECT FROM m WHERE m.relname = t.relname AND m.attname = a.attname)
), found AS (
    SELECT format('view %s, for its use of column "%s" of table %s', w.ev_class::regclass,
                  g.attname, g.oid::regclass) AS what
      FROM gone AS g
      JOIN pg_catalog.pg_depend AS d
        ON d.refclassid = 'pg_class'::regclass AND d.refobjid = g.oid
       AND d.refobjsubid = g.attnum AND d.classid = 'pg_rewrite'::regclass
      JOIN pg_catalog.pg_rewrite AS w ON w.oid = d.objid
    UNION
    SELECT format('index %s, for its use of column "%s" of table %s', x.indexrelid::regclass,
                  g.attname, g.oid::regclass)
      FROM gone AS g
      JOIN pg_catalog.pg_depend AS d
        ON d.refclassid = 'pg_class'::regclass AND d.refobjid = g.oid
       AND d.refobjsubid = g.attnum AND d.classid = 'pg_class'::regclass
      JOIN pg_catalog.pg_index AS x ON x.indexrelid = d.objid AND x.indrelid = g.oid
     WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_constraint AS k
                        WHERE k.conindid = x.indexrelid)
    UNION
    SELECT format('column "%s" of table %s, which renorm has not made', g.attname,
                  g.oid::regclass)
      FROM gone AS g
      JOIN renorm.target AS r ON r.relation = g.oid
     WHERE NOT r.comments ? g.attname::text
)
SELECT what FROM found ORDER BY what
