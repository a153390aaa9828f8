-- SPDX-License-Identifier: MIT
-- What stands in the target under names of the model: kind, whether renorm made it, whether this
-- role may drop it, its owner. $1 schema, $2 tables
SELECT c.relname, c.relkind IN ('r', 'p'),
       EXISTS (SELECT FROM renorm.target AS g WHERE g.relation = c.oid),
       pg_has_role(c.relowner, 'MEMBER'), pg_get_userbyid(c.relowner)
  FROM pg_catalog.pg_class AS c
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
 WHERE n.nspname = $1 AND c.relname = ANY ($2::name[])
   AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
 ORDER BY c.relname
