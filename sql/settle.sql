-- SPDX-License-Identifier: MIT
-- Ends connections that still hold locks in a run's staging schema: their owners are dead or
-- stopped, and whatever they send would be refused by the epochs. $1 schema
SELECT count(pg_terminate_backend(h.pid))
  FROM (SELECT DISTINCT l.pid
          FROM pg_catalog.pg_locks AS l
          JOIN pg_catalog.pg_class AS c ON c.oid = l.relation
          JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
          JOIN pg_catalog.pg_stat_activity AS a ON a.pid = l.pid
         WHERE n.nspname = $1
           AND l.pid <> pg_backend_pid()
           AND a.application_name LIKE 'renorm run %'
           AND l.database = (SELECT oid FROM pg_catalog.pg_database
                              WHERE datname = current_database())) AS h
