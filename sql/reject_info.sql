-- SPDX-License-Identifier: MIT
-- The rejects of a run, or of the newest run that has any. $1 run or 0
SELECT run, count(*), coalesce(sum(octet_length(item)), 0),
       count(*) FILTER (WHERE kind = 'unrouted')
  FROM renorm.reject
 WHERE $1::bigint = 0 OR run = $1::bigint
 GROUP BY run
 ORDER BY run DESC
 LIMIT 1
