-- SPDX-License-Identifier: MIT
-- Who seems to be at work on a run. $1 run, $2 lease in seconds
SELECT p.process, p.host, p.place, p.pid, p.ticks,
       to_char(p.started, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
  FROM renorm.process AS p
 WHERE p.run = $1
   AND p.ended IS NULL
   AND p.heartbeat > clock_timestamp() - make_interval(secs => $2::double precision)
   AND EXISTS (SELECT FROM pg_catalog.pg_locks AS l
                WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
                  AND l.classid = 1919249007 AND l.objid = p.process::bigint::oid)
 ORDER BY p.process
