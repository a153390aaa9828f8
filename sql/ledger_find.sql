-- SPDX-License-Identifier: MIT
-- The ledger's version; -1 if the schema is somebody else's, 0 if there is none.
SELECT CASE
    WHEN to_regclass('renorm.ledger') IS NOT NULL AND to_regclass('renorm.run') IS NOT NULL
        THEN 1
    WHEN EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = 'renorm') THEN -1
    ELSE 0
END,
current_setting('server_encoding'),
current_setting('transaction_read_only'),
current_setting('server_version_num')
