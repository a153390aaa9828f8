-- SPDX-License-Identifier: MIT
-- The ledger's version; -1 if the schema is somebody else's, 0 if there is none.
SELECT CASE
    WHEN (SELECT count(*) FROM pg_catalog.pg_class AS c
           WHERE c.relnamespace = n.oid AND c.relname IN ('ledger', 'run', 'segment')) = 3 THEN 1
    WHEN n.oid IS NOT NULL THEN -1
    ELSE 0
END,
current_setting('server_encoding'),
current_setting('transaction_read_only'),
current_setting('server_version_num')
  FROM (SELECT max(oid::bigint)::oid AS oid FROM pg_catalog.pg_namespace
         WHERE nspname = 'renorm') AS n
