-- SPDX-License-Identifier: MIT
-- What old tables have that new ones shall have too, as statements for after the swap: owner,
-- grants, comments people wrote, publications (which the old ones leave before it), replica
-- identity, storage parameters, row security. $1 schema, $2 tables, $3 staging schema
WITH t AS (
    SELECT c.oid, c.relowner, c.relacl, c.relreplident, c.relname, c.reloptions,
           c.relrowsecurity, c.relforcerowsecurity, c.reltoastrelid,
           format('%I.%I', n.nspname, c.relname) AS name, s.oid AS staged
      FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      JOIN pg_catalog.pg_namespace AS m ON m.nspname = $3
      JOIN pg_catalog.pg_class AS s ON s.relnamespace = m.oid AND s.relname = c.relname
     WHERE n.nspname = $1 AND c.relname = ANY ($2::name[]) AND c.relkind IN ('r', 'p')
)
SELECT statement, line < 0 FROM (
    SELECT t.name, 0 AS line,
           format('GRANT %s ON %s TO %s%s', a.privilege_type, t.name,
                  CASE a.grantee WHEN 0 THEN 'PUBLIC'
                       ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
                  CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END) AS statement
      FROM t, aclexplode(t.relacl) AS a WHERE a.grantee <> t.relowner
    UNION ALL
    SELECT t.name, 1,
           format('GRANT %s (%I) ON %s TO %s%s', a.privilege_type, c.attname, t.name,
                  CASE a.grantee WHEN 0 THEN 'PUBLIC'
                       ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
                  CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
      FROM t
      JOIN pg_catalog.pg_attribute AS c ON c.attrelid = t.oid AND NOT c.attisdropped
      JOIN pg_catalog.pg_attribute AS k
        ON k.attrelid = t.staged AND k.attname = c.attname AND NOT k.attisdropped,
           aclexplode(c.attacl) AS a
     WHERE a.grantee <> t.relowner
    UNION ALL
    SELECT t.name, 2,
           CASE d.objsubid
               WHEN 0 THEN format('COMMENT ON TABLE %s IS %L', t.name, d.description)
               ELSE format('COMMENT ON COLUMN %s.%I IS %L', t.name, c.attname, d.description)
           END
      FROM t
      JOIN pg_catalog.pg_description AS d
        ON d.objoid = t.oid AND d.classoid = 'pg_class'::regclass
      LEFT JOIN pg_catalog.pg_attribute AS c
        ON c.attrelid = t.oid AND c.attnum = d.objsubid AND d.objsubid > 0
      LEFT JOIN pg_catalog.pg_attribute AS k
        ON k.attrelid = t.staged AND k.attname = c.attname AND NOT k.attisdropped
     WHERE (d.objsubid = 0 OR k.attnum IS NOT NULL)
       AND d.description IS DISTINCT FROM (SELECT g.comments ->> coalesce(c.attname, '')
                                             FROM renorm.target AS g WHERE g.relation = t.oid)
    UNION ALL
    SELECT t.name, u.line, format('ALTER PUBLICATION %I %s TABLE %s', p.pubname, u.what, t.name)
      FROM (VALUES (-1, 'DROP'), (3, 'ADD')) AS u (line, what), t
      JOIN pg_catalog.pg_publication_rel AS r ON r.prrelid = t.oid
      JOIN pg_catalog.pg_publication AS p ON p.oid = r.prpubid
    UNION ALL
    SELECT t.name, 4, format('ALTER TABLE %s REPLICA IDENTITY %s', t.name,
                             CASE t.relreplident WHEN 'f' THEN 'FULL' ELSE 'NOTHING' END)
      FROM t WHERE t.relreplident IN ('f', 'n')
    UNION ALL
    SELECT t.name, 4, format('ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', t.name, i.relname)
      FROM t
      JOIN pg_catalog.pg_index AS x ON x.indrelid = t.oid AND x.indisreplident
      JOIN pg_catalog.pg_class AS i ON i.oid = x.indexrelid
      JOIN pg_catalog.pg_index AS y ON y.indrelid = t.staged
      JOIN pg_catalog.pg_class AS k ON k.oid = y.indexrelid AND k.relname = i.relname
     WHERE t.relreplident = 'i'
    UNION ALL
    SELECT t.name, 4, format('ALTER TABLE %s SET (%s%I = %L)', t.name, o.prefix, p.option_name,
                             p.option_value)
      FROM t
      LEFT JOIN pg_catalog.pg_class AS b ON b.oid = t.reltoastrelid
     CROSS JOIN LATERAL (VALUES ('', t.reloptions), ('toast.', b.reloptions))
           AS o (prefix, options),
           pg_options_to_table(o.options) AS p
    UNION ALL
    SELECT t.name, 4, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', t.name)
      FROM t WHERE t.relrowsecurity
    UNION ALL
    SELECT t.name, 4, format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', t.name)
      FROM t WHERE t.relforcerowsecurity
    UNION ALL
    SELECT t.name, 5, format('ALTER TABLE %s OWNER TO %I', t.name, pg_get_userbyid(t.relowner))
      FROM t WHERE pg_get_userbyid(t.relowner) <> current_user
) AS s
ORDER BY name, line
