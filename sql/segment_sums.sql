-- SPDX-License-Identifier: MIT
-- $1 run
SELECT u.i, sum(u.c)::bigint
  FROM renorm.segment AS s, unnest(s.counters) WITH ORDINALITY AS u (c, i)
 WHERE s.run = $1
 GROUP BY u.i
 ORDER BY u.i
