-- SPDX-License-Identifier: MIT
-- The last run of a target, if it has added its rows and no process of it lived to say so.
-- Columns as those of an unfinished run. $1 target, $2 how old it may be in microseconds, 0: any
SELECT run, mode, state, loaded, model_hash, source_identity, options, now_us, segments,
       unlogged, to_char(started, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), source_text
  FROM renorm.run AS r
 WHERE run = (SELECT max(run) FROM renorm.run WHERE target = $1)
   AND state = 'published' AND mode = 'append'
   AND ($2::bigint = 0
        OR r.finished > clock_timestamp() - make_interval(secs => $2::double precision / 1e6))
   AND NOT EXISTS (SELECT FROM renorm.process AS p
                    WHERE p.run = r.run AND p.ended >= r.finished)
