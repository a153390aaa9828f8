-- SPDX-License-Identifier: MIT
-- Takes a segment unless it is done or its owner is alive. It waits for the row lock of a
-- transaction that is still ending, and whoever held the segment is fenced off by the epoch.
-- After that wait the others' heartbeats are still those of its start: so is the time they are
-- compared with. Where row -1 has gone a crash has emptied the table: there is nothing to take.
-- $1 run, $2 segment, $3 process, $4 lease in seconds
INSERT INTO renorm.segment AS s (run, segment, epoch, owner)
SELECT $1, $2::integer, 1, $3::integer
  FROM renorm.segment AS m
 WHERE m.run = $1 AND m.segment = -1
    ON CONFLICT (run, segment) DO UPDATE
   SET epoch = s.epoch + 1, owner = excluded.owner, changed = clock_timestamp()
 WHERE NOT s.done
   AND (s.owner IS NULL OR s.owner = excluded.owner
        OR NOT EXISTS (
            SELECT FROM renorm.live AS p
             WHERE p.process = s.owner
               AND p.heartbeat > statement_timestamp()
                                 - make_interval(secs => $4::double precision)))
RETURNING s.epoch, s.resume, s.commits, coalesce(s.counters[1], 0)
