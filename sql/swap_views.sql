-- SPDX-License-Identifier: MIT
-- Plain views over tables that are about to be replaced, as statements: drop (deepest first),
-- then, for after the swap, create, owner, grants (those of default privileges go), comments.
-- $1 schema, $2 tables
WITH RECURSIVE v (oid, depth) AS (
    SELECT c.oid, 0
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = ANY ($2::name[])
    UNION
    SELECT c.oid, v.depth + 1
      FROM v
      JOIN pg_catalog.pg_depend AS d
        ON d.refclassid = 'pg_class'::regclass AND d.refobjid = v.oid
       AND d.classid = 'pg_rewrite'::regclass
      JOIN pg_catalog.pg_rewrite AS w ON w.oid = d.objid
      JOIN pg_catalog.pg_class AS c ON c.oid = w.ev_class
     WHERE c.oid <> v.oid AND c.relkind = 'v'
), w AS (
    SELECT c.oid, c.relowner, c.relacl, c.reloptions, c.relnamespace, max(v.depth) AS depth,
           format('%I.%I', n.nspname, c.relname) AS name
      FROM v
      JOIN pg_catalog.pg_class AS c ON c.oid = v.oid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
     WHERE v.depth > 0
     GROUP BY c.oid, n.nspname
)
SELECT statement, part = 0 FROM (
    SELECT 0 AS part, -w.depth AS place, w.name, 0 AS line,
           format('DROP VIEW %s', w.name) AS statement
      FROM w
    UNION ALL
    SELECT 1, w.depth, w.name, 0,
           format('CREATE VIEW %s%s AS %s', w.name,
                  ' WITH (' || array_to_string(w.reloptions, ', ') || ')',
                  pg_get_viewdef(w.oid))
      FROM w
    UNION ALL
    SELECT 1, w.depth, w.name, 1,
           format('ALTER VIEW %s OWNER TO %I', w.name, pg_get_userbyid(w.relowner))
      FROM w WHERE pg_get_userbyid(w.relowner) <> current_user
    UNION ALL
    SELECT DISTINCT 1, w.depth, w.name, 1,
           format('REVOKE ALL ON %s FROM %s', w.name,
                  CASE a.grantee WHEN 0 THEN 'PUBLIC'
                       ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
      FROM w
      JOIN pg_catalog.pg_default_acl AS d
        ON d.defaclobjtype = 'r' AND d.defaclnamespace IN (0, w.relnamespace)
       AND pg_get_userbyid(d.defaclrole) = current_user,
           aclexplode(d.defaclacl) AS a
     WHERE a.grantee <> d.defaclrole
    UNION ALL
    SELECT 1, w.depth, w.name, 2,
           format('GRANT %s ON %s TO %s%s', a.privilege_type, w.name,
                  CASE a.grantee WHEN 0 THEN 'PUBLIC'
                       ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
                  CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM w, aclexplode(w.relacl) AS a WHERE a.grantee <> w.relowner
    UNION ALL
    SELECT 1, w.depth, w.name, 3,
           format('GRANT %s (%I) ON %s TO %s%s', a.privilege_type, c.attname, w.name,
                  CASE a.grantee WHEN 0 THEN 'PUBLIC'
                       ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
                  CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM w
      JOIN pg_catalog.pg_attribute AS c ON c.attrelid = w.oid AND NOT c.attisdropped,
           aclexplode(c.attacl) AS a
     WHERE a.grantee <> w.relowner
    UNION ALL
    SELECT 1, w.depth, w.name, 4,
           CASE d.objsubid
               WHEN 0 THEN format('COMMENT ON VIEW %s IS %L', w.name, d.description)
               ELSE format('COMMENT ON COLUMN %s.%I IS %L', w.name, t.attname, d.description)
           END
      FROM w
      JOIN pg_catalog.pg_description AS d
        ON d.objoid = w.oid AND d.classoid = 'pg_class'::regclass
      LEFT JOIN pg_catalog.pg_attribute AS t
        ON t.attrelid = w.oid AND t.attnum = d.objsubid AND d.objsubid > 0
) AS s
ORDER BY part, place, name, line
