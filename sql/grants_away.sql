-- SPDX-License-Identifier: MIT
-- What default privileges gave to others on tables nobody granted, as statements that take it
-- back. $1 schema, $2 tables, NULL: all of them and the schema itself
SELECT DISTINCT format('REVOKE ALL ON %s FROM %s', o.name,
                       CASE a.grantee WHEN 0 THEN 'PUBLIC'
                            ELSE quote_ident(pg_get_userbyid(a.grantee)) END)
  FROM (SELECT format('%I.%I', n.nspname, c.relname) AS name, c.relowner AS owner, c.relacl AS acl
          FROM pg_catalog.pg_class AS c
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
         WHERE n.nspname = $1 AND c.relkind IN ('r', 'v')
           AND ($2::name[] IS NULL OR c.relname = ANY ($2::name[]))
        UNION ALL
        SELECT format('SCHEMA %I', n.nspname), n.nspowner, n.nspacl
          FROM pg_catalog.pg_namespace AS n
         WHERE n.nspname = $1 AND $2::name[] IS NULL) AS o,
       aclexplode(o.acl) AS a
 WHERE a.grantee <> o.owner
