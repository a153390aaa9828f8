-- SPDX-License-Identifier: MIT
-- What hangs on tables that are to be replaced and cannot be carried over to new ones.
-- $1 schema, $2 tables
WITH RECURSIVE t AS (
    SELECT c.oid
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = ANY ($2::name[]) AND c.relkind IN ('r', 'p', 'f')
), v AS (
    SELECT t.oid, 'r'::"char" AS relkind FROM t
    UNION
    SELECT c.oid, c.relkind
      FROM v
      JOIN pg_catalog.pg_depend AS d
        ON d.refclassid = 'pg_class'::regclass AND d.refobjid = v.oid
       AND d.classid = 'pg_rewrite'::regclass
      JOIN pg_catalog.pg_rewrite AS w ON w.oid = d.objid
      JOIN pg_catalog.pg_class AS c ON c.oid = w.ev_class
     WHERE c.oid <> v.oid
), y AS (
    SELECT y.oid
      FROM pg_catalog.pg_type AS y
     WHERE y.typrelid IN (SELECT oid FROM v)
        OR y.typelem IN (SELECT r.oid FROM pg_catalog.pg_type AS r
                          WHERE r.typrelid IN (SELECT oid FROM v))
), found AS (
    SELECT format('materialized view %s', v.oid::regclass) AS what FROM v WHERE v.relkind = 'm'
    UNION
    SELECT format('temporary view %s', v.oid::regclass)
      FROM v JOIN pg_catalog.pg_class AS c ON c.oid = v.oid
     WHERE v.relkind = 'v' AND c.relpersistence = 't'
    UNION
    SELECT format('sequence %s', s.oid::regclass)
      FROM pg_catalog.pg_depend AS d
      JOIN pg_catalog.pg_class AS s ON s.oid = d.objid AND s.relkind = 'S'
     WHERE d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
       AND d.refobjid IN (SELECT oid FROM t)
    UNION
    SELECT format('foreign key "%s" of table %s', c.conname, c.conrelid::regclass)
      FROM pg_catalog.pg_constraint AS c
     WHERE c.contype = 'f' AND c.confrelid IN (SELECT oid FROM t)
       AND c.conrelid NOT IN (SELECT oid FROM t)
    UNION
    SELECT format('constraint "%s" of table %s', c.conname, c.conrelid::regclass)
      FROM pg_catalog.pg_constraint AS c
     WHERE c.conrelid IN (SELECT oid FROM t)
       AND (c.contype IN ('c', 'u', 'x')
            OR (c.contype = 'f' AND c.confrelid NOT IN (SELECT oid FROM t)))
    UNION
    SELECT format('trigger "%s" on %s', g.tgname, g.tgrelid::regclass)
      FROM pg_catalog.pg_trigger AS g
     WHERE NOT g.tgisinternal AND g.tgrelid IN (SELECT oid FROM v)
    UNION
    SELECT format('policy "%s" on table %s', p.polname, p.polrelid::regclass)
      FROM pg_catalog.pg_policy AS p WHERE p.polrelid IN (SELECT oid FROM t)
    UNION
    SELECT format('rule "%s" on %s', w.rulename, w.ev_class::regclass)
      FROM pg_catalog.pg_rewrite AS w
     WHERE w.ev_class IN (SELECT oid FROM v) AND w.rulename <> '_RETURN'
    UNION
    SELECT format('function %s', d.objid::regprocedure)
      FROM pg_catalog.pg_depend AS d
     WHERE d.classid = 'pg_proc'::regclass
       AND ((d.refclassid = 'pg_class'::regclass AND d.refobjid IN (SELECT oid FROM v))
            OR (d.refclassid = 'pg_type'::regclass AND d.refobjid IN (SELECT oid FROM y)))
    UNION
    SELECT format('column of type %s in %s', d.refobjid::regtype, d.objid::regclass)
      FROM pg_catalog.pg_depend AS d
     WHERE d.classid = 'pg_class'::regclass AND d.deptype = 'n'
       AND d.refclassid = 'pg_type'::regclass AND d.refobjid IN (SELECT oid FROM y)
    UNION
    SELECT format('%s, for its use of type %s',
                  pg_describe_object(d.classid, d.objid, d.objsubid), d.refobjid::regtype)
      FROM pg_catalog.pg_depend AS d
     WHERE d.classid NOT IN ('pg_class'::regclass, 'pg_proc'::regclass,
                             'pg_rewrite'::regclass) AND d.deptype = 'n'
       AND d.refclassid = 'pg_type'::regclass AND d.refobjid IN (SELECT oid FROM y)
    UNION
    SELECT format('inheritance between %s and %s', i.inhrelid::regclass, i.inhparent::regclass)
      FROM pg_catalog.pg_inherits AS i
     WHERE i.inhrelid IN (SELECT oid FROM t) OR i.inhparent IN (SELECT oid FROM t)
    UNION
    SELECT format('statistics "%s" on table %s', s.stxname, s.stxrelid::regclass)
      FROM pg_catalog.pg_statistic_ext AS s WHERE s.stxrelid IN (SELECT oid FROM t)
    UNION
    SELECT format('default of column "%s" of %s', a.attname, a.attrelid::regclass)
      FROM pg_catalog.pg_attribute AS a
     WHERE a.attrelid IN (SELECT oid FROM v) AND a.atthasdef AND NOT a.attisdropped
    UNION
    SELECT format('row filter or column list of table %s in publication "%s"',
                  r.prrelid::regclass, p.pubname)
      FROM pg_catalog.pg_publication_rel AS r
      JOIN pg_catalog.pg_publication AS p ON p.oid = r.prpubid
     WHERE r.prrelid IN (SELECT oid FROM t)
       AND (to_jsonb(r) ->> 'prqual' IS NOT NULL OR to_jsonb(r) ->> 'prattrs' IS NOT NULL)
)
SELECT what FROM found ORDER BY what
