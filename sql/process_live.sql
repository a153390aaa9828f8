-- SPDX-License-Identifier: MIT
-- Who seems to be at work on a run. $1 run, $2 lease in seconds
SELECT p.process, p.host, p.place, p.pid, p.ticks,
       to_char(p.started, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  FROM renorm.live AS p
 WHERE p.run = $1
   AND p.heartbeat > clock_timestamp() - make_interval(secs => $2::double precision)
 ORDER BY p.process
