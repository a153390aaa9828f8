-- SPDX-License-Identifier: MIT
-- The last run shown to a target that made these tables, or else the last one; and whether they are
-- of several runs, each of some entities alone.
-- $1 target, $2 tables
WITH shown AS (
    SELECT r.run FROM renorm.run AS r WHERE r.target = $1 AND r.state = 'published'
), made AS (
    SELECT t.name, max(t.run) AS run
      FROM renorm.table_total AS t
     WHERE t.run IN (SELECT run FROM shown) AND t.name = ANY ($2::text[])
     GROUP BY t.name
)
SELECT r.run, r.model_hash, r.source_identity, r.options, r.now_us, coalesce(r.duplicates, ''),
       r.mode = 'replace', (SELECT count(DISTINCT m.run) > 1 FROM made AS m)
  FROM renorm.run AS r
 WHERE r.run = coalesce((SELECT max(m.run) FROM made AS m), (SELECT max(s.run) FROM shown AS s))
