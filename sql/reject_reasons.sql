-- SPDX-License-Identifier: MIT
-- Why items of a run became no rows: kind, reason or type, column, how many, and of what may be
-- shown the first by its place. What is rare stands together as "(others)". $1 run
WITH told AS (
    SELECT kind, CASE kind WHEN 'unrouted' THEN entity ELSE reason END AS name,
           coalesce(column_name, '') AS about, count(*) AS n,
           min((lpad(segment::text, 10, '0') || lpad(position::text, 20, '0') || example)
               COLLATE "C") AS example
      FROM renorm.reject
     WHERE run = $1
     GROUP BY 1, 2, 3
), ranked AS (
    SELECT *, row_number() OVER (PARTITION BY kind ORDER BY n DESC, name, about) < 499 AS frequent
      FROM told
)
SELECT kind,
       CASE WHEN frequent OR kind <> 'unrouted' THEN name ELSE '(others)' END,
       CASE WHEN frequent THEN about WHEN kind <> 'unrouted' THEN '(others)' ELSE '' END,
       sum(n), coalesce(substr(min(example), 31), '')
  FROM ranked
 GROUP BY 1, 2, 3
