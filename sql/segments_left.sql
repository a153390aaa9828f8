-- SPDX-License-Identifier: MIT
-- Segments that nobody works on, though they are not done: those of processes that have gone or are
-- silent, and our own, whose workers have ended. $1 run, $2 process, $3 lease in seconds
SELECT s.segment
  FROM renorm.segment AS s
 WHERE s.run = $1 AND s.segment >= 0 AND NOT s.done
   AND (s.owner IS NULL OR s.owner = $2::integer
        OR NOT EXISTS (
            SELECT FROM renorm.live AS p
             WHERE p.process = s.owner
               AND p.heartbeat > clock_timestamp()
                                 - make_interval(secs => $3::double precision)))
 ORDER BY s.segment
