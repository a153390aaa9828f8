-- SPDX-License-Identifier: MIT
-- Who is at work in the ledger: run, host and since when.
SELECT p.run, p.host, to_char(p.started, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  FROM renorm.live AS p
 ORDER BY p.process
