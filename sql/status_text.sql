-- SPDX-License-Identifier: MIT
-- The same for people, line by line. $1 run, or 0 for all
WITH s AS (
    SELECT * FROM renorm.segment UNION ALL SELECT * FROM renorm.segment_unlogged
), c AS (
    SELECT s.run, r.counters[u.i] AS name, u.i, sum(u.n) AS n
      FROM renorm.run AS r JOIN s USING (run),
           unnest(s.counters) WITH ORDINALITY AS u (n, i)
     GROUP BY s.run, r.counters, u.i
), lines AS (
    SELECT r.run, 0 AS part, 0::bigint AS i,
           format('run %s  %s  %s  %s', r.run, r.target, r.mode,
                  CASE WHEN r.state <> 'loading' THEN r.state
                       WHEN r.loaded THEN 'finishing' ELSE 'loading' END) AS line
      FROM renorm.run AS r
    UNION ALL
    SELECT r.run, 1, 0, format('  from %s', r.source_text) FROM renorm.run AS r
    UNION ALL
    SELECT r.run, 1, 1,
           format('  begun %s%s', to_char(r.started, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
                  to_char(r.finished, '", ended "YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      FROM renorm.run AS r
    UNION ALL
    SELECT r.run, 1, 2, format('  why: %s', to_jsonb(r) ->> 'why')
      FROM renorm.run AS r WHERE to_jsonb(r) ->> 'why' IS NOT NULL
    UNION ALL
    SELECT r.run, 1, 3, '  held: the same command with a higher allowance shows it, or renorm publish'
      FROM renorm.run AS r WHERE r.state = 'held'
    UNION ALL
    SELECT s.run, 2, 0,
           format('  segments %s of %s done', count(*) FILTER (WHERE s.done), count(*))
      FROM s WHERE s.segment >= 0 GROUP BY s.run
    UNION ALL
    SELECT c.run, 3, c.i, format('  %s %s', rpad(c.name, greatest(40, length(c.name))), lpad(c.n::text, 14))
      FROM c WHERE c.i <= 5 OR c.name LIKE 'table %' OR (c.name LIKE 'note %' AND c.n > 0)
    UNION ALL
    SELECT c.run, 4, 0,
           format('  %s %s', rpad('items a second', 40),
                  lpad(round(c.n / greatest(extract(epoch FROM coalesce(
                      r.finished, (SELECT max(s.changed) FROM s WHERE s.run = r.run))
                      - r.started)::numeric, 0.001))::text, 14))
      FROM c JOIN renorm.run AS r USING (run) WHERE c.i = 1
    UNION ALL
    SELECT c.run, 4, 1,
           format('  %s %s', rpad('rows a second', 40),
                  lpad(round(sum(c.n) / greatest(extract(epoch FROM coalesce(
                      r.finished, (SELECT max(s.changed) FROM s WHERE s.run = r.run))
                      - r.started)::numeric, 0.001))::text, 14))
      FROM c JOIN renorm.run AS r USING (run) WHERE c.name LIKE 'table %'
     GROUP BY c.run, r.run
    UNION ALL
    SELECT q.run, 5, 0, format('  reject %s %s', rpad(q.reason, greatest(33, length(q.reason))), lpad(count(*)::text, 14))
      FROM renorm.reject AS q GROUP BY q.run, q.reason
    UNION ALL
    SELECT p.run, 6, p.step, format('  %s %s', rpad('orphans ' || p.name, greatest(40, 8 + length(p.name))),
                                    lpad(p.amount::text, 14))
      FROM renorm.step AS p WHERE p.name LIKE 'foreign %' AND p.amount > 0
    UNION ALL
    SELECT p.run, 7, p.process, format('  at work: %s, pid %s, heartbeat %s', p.host, p.pid,
                                       to_char(p.heartbeat, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
      FROM renorm.live AS p
    UNION ALL
    SELECT r.run, 7, 0, '  nobody is at work on it: the same command goes on with it'
      FROM renorm.run AS r
     WHERE r.state = 'loading' AND NOT pg_is_in_recovery()
       AND NOT EXISTS (SELECT FROM renorm.live AS p WHERE p.run = r.run)
)
SELECT line FROM lines
 WHERE $1::bigint = 0 OR run = $1::bigint
 ORDER BY run DESC, part, i, line
