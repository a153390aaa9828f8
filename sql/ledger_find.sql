-- SPDX-License-Identifier: MIT
-- Whether the schema is a ledger: 1, 0 if there is none, -1 if it is somebody else's, -2 if it was
-- made before the ledger had all it has now. Then what the server is.
SELECT CASE
    WHEN n.oid IS NULL THEN 0
    WHEN (SELECT count(*) FROM pg_catalog.pg_class AS c
           WHERE c.relnamespace = n.oid AND c.relname IN ('ledger', 'run', 'segment')) < 3 THEN -1
    WHEN (SELECT count(*) FROM pg_catalog.pg_class AS c
            JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid
           WHERE c.relnamespace = n.oid
             AND (c.relname, a.attname) IN (('live', 'process'), ('reject', 'file'))) < 2 THEN -2
    ELSE 1
END,
current_setting('server_encoding'),
current_setting('transaction_read_only'),
current_setting('server_version_num')
  FROM (SELECT max(oid::bigint)::oid AS oid FROM pg_catalog.pg_namespace
         WHERE nspname = 'renorm') AS n
