-- SPDX-License-Identifier: MIT
-- The rows of each table that the last run of a target showed, if it replaced all that was there.
-- $1 target
SELECT t.name, t.rows
  FROM renorm.run AS r
  JOIN renorm.table_total AS t USING (run)
 WHERE r.mode = 'replace'
   AND r.run = (SELECT max(l.run) FROM renorm.run AS l
                 WHERE l.target = $1 AND l.state = 'published')
