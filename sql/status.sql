-- SPDX-License-Identifier: MIT
-- Runs, newest first, as one JSON document. A standby has no unlogged table to read.
-- $1 run, or 0 for all
WITH s AS (
    SELECT * FROM renorm.segment UNION ALL SELECT * FROM renorm.segment_unlogged
), c AS (
    SELECT s.run, u.i, sum(u.n) AS n
      FROM s, unnest(s.counters) WITH ORDINALITY AS u (n, i)
     GROUP BY s.run, u.i
), r AS (
    SELECT r.*, greatest(extract(epoch FROM
               CASE WHEN r.finished IS NOT NULL THEN r.finished
                    WHEN EXISTS (SELECT FROM renorm.live AS p WHERE p.run = r.run)
                    THEN clock_timestamp()
                    ELSE coalesce((SELECT max(s.changed) FROM s WHERE s.run = r.run), r.started)
               END - r.started)::numeric, 0.001) AS seconds
      FROM renorm.run AS r
     WHERE $1::bigint = 0 OR r.run = $1::bigint
)
SELECT jsonb_pretty(jsonb_build_object('runs', coalesce(jsonb_agg(j.doc ORDER BY j.run DESC),
                                                        '[]')))
  FROM (
    SELECT r.run, jsonb_build_object(
        'run', r.run, 'target', r.target, 'mode', r.mode, 'state', r.state,
        'why', to_jsonb(r) ->> 'why',
        'source', r.source_text, 'model', r.model_hash, 'version', r.version,
        'started', to_char(r.started, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'finished', to_char(r.finished, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'seconds', round(r.seconds, 1),
        'items_per_second', (SELECT coalesce(round(sum(c.n) / r.seconds, 1), 0)
                               FROM c WHERE c.run = r.run AND c.i = 1),
        'rows_per_second', (SELECT coalesce(round(sum(c.n) / r.seconds, 1), 0)
                              FROM c WHERE c.run = r.run AND r.counters[c.i] LIKE 'table %'),
        'segments', jsonb_build_object(
            'all', (SELECT count(*) FROM s WHERE s.run = r.run AND s.segment >= 0),
            'done', (SELECT count(*) FROM s WHERE s.run = r.run AND s.segment >= 0 AND s.done)),
        'items', (SELECT coalesce(jsonb_object_agg(r.counters[c.i], c.n), '{}')
                    FROM c WHERE c.run = r.run AND c.i <= 5),
        'rows', (SELECT coalesce(jsonb_object_agg(substr(r.counters[c.i], 7), c.n), '{}')
                   FROM c WHERE c.run = r.run AND r.counters[c.i] LIKE 'table %'),
        'notes', (SELECT coalesce(jsonb_object_agg(substr(r.counters[c.i], 6), c.n), '{}')
                    FROM c WHERE c.run = r.run AND r.counters[c.i] LIKE 'note %' AND c.n > 0),
        'tables', (SELECT coalesce(jsonb_object_agg(t.name, jsonb_build_object(
                              'rows', t.rows, 'bytes', t.bytes)), '{}')
                     FROM renorm.table_total AS t WHERE t.run = r.run),
        'rejects', (SELECT coalesce(jsonb_object_agg(q.reason, q.n), '{}')
                      FROM (SELECT reason, count(*) AS n FROM renorm.reject
                             WHERE run = r.run GROUP BY reason) AS q),
        'orphans', (SELECT coalesce(sum(p.amount), 0) FROM renorm.step AS p
                     WHERE p.run = r.run AND p.name LIKE 'foreign %'),
        'steps', jsonb_build_object(
            'all', (SELECT count(*) FROM renorm.step AS p WHERE p.run = r.run),
            'done', (SELECT count(p.finished) FROM renorm.step AS p WHERE p.run = r.run)),
        'processes', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                 'host', p.host, 'pid', p.pid,
                                 'heartbeat', to_char(p.heartbeat,
                                                      'YYYY-MM-DD"T"HH24:MI:SS"Z"'))), '[]')
                        FROM renorm.live AS p WHERE p.run = r.run)
        ) AS doc
      FROM r
  ) AS j
