-- SPDX-License-Identifier: MIT
-- What publishing would be refused for want of a permission: tables that are all there can be
-- added to without CREATE. $1 schema, $2 tables, $3 whether they are replaced
WITH RECURSIVE n AS (
    SELECT n.oid, n.nspname FROM pg_catalog.pg_namespace AS n WHERE n.nspname = $1
), t AS (
    SELECT c.oid, c.relkind, c.relowner, c.relnamespace
      FROM pg_catalog.pg_class AS c JOIN n ON n.oid = c.relnamespace
     WHERE c.relname = ANY ($2::name[]) AND c.relkind IN ('r', 'p') AND $3::boolean
), v AS (
    SELECT t.* FROM t
    UNION
    SELECT c.oid, c.relkind, c.relowner, c.relnamespace
      FROM v
      JOIN pg_catalog.pg_depend AS d
        ON d.refclassid = 'pg_class'::regclass AND d.refobjid = v.oid
       AND d.classid = 'pg_rewrite'::regclass
      JOIN pg_catalog.pg_rewrite AS w ON w.oid = d.objid
      JOIN pg_catalog.pg_class AS c ON c.oid = w.ev_class
     WHERE c.oid <> v.oid AND c.relkind = 'v'
), me AS (
    SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user
), found AS (
    SELECT format('role %I lacks CREATE on schema %I', current_user, s.nspname) AS what
      FROM pg_catalog.pg_namespace AS s
     WHERE s.oid IN (SELECT oid FROM n UNION SELECT relnamespace FROM v)
       AND NOT has_schema_privilege(s.oid, 'CREATE')
       AND ($3::boolean OR EXISTS (
            SELECT FROM unnest($2::name[]) AS w (name)
             WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_class AS c
                                WHERE c.relnamespace = s.oid AND c.relname = w.name)))
    UNION
    SELECT format('view %s belongs to role %I', v.oid::regclass, pg_get_userbyid(v.relowner))
      FROM v WHERE v.relkind = 'v' AND NOT pg_has_role(v.relowner, 'MEMBER')
    UNION
    SELECT format('role %I lacks USAGE on schema %I, which view %s reads', current_user, s.nspname,
                  v.oid::regclass)
      FROM v
      JOIN pg_catalog.pg_rewrite AS w ON w.ev_class = v.oid
      JOIN pg_catalog.pg_depend AS d
        ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
       AND d.refclassid = 'pg_class'::regclass
      JOIN pg_catalog.pg_class AS c ON c.oid = d.refobjid
      JOIN pg_catalog.pg_namespace AS s ON s.oid = c.relnamespace
     WHERE v.relkind = 'v' AND NOT has_schema_privilege(s.oid, 'USAGE')
    UNION
    SELECT format('publication %I belongs to role %I', p.pubname, pg_get_userbyid(p.pubowner))
      FROM t
      JOIN pg_catalog.pg_publication_rel AS r ON r.prrelid = t.oid
      JOIN pg_catalog.pg_publication AS p ON p.oid = r.prpubid
     WHERE NOT pg_has_role(p.pubowner, 'MEMBER')
    UNION
    SELECT format('role %I, which %s belongs to, lacks CREATE on schema %I',
                  pg_get_userbyid(v.relowner), v.oid::regclass, s.nspname)
      FROM v
      JOIN pg_catalog.pg_namespace AS s ON s.oid = v.relnamespace, me
     WHERE NOT me.rolsuper AND pg_get_userbyid(v.relowner) <> current_user
       AND NOT has_schema_privilege(v.relowner, s.oid, 'CREATE')
)
SELECT what FROM found ORDER BY what
