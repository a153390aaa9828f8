-- SPDX-License-Identifier: MIT
-- The last statement of a commit: it must touch every segment named, else ROLLBACK. A segment that
-- is not where its loader left it, for a crash took commits that were acknowledged, is not moved on.
-- $1 run, $2 segments, $3 epochs, $4 resume keys, $5 done, $6 counters to add, $7 commits so far
UPDATE renorm.segment AS s
   SET resume = m.resume,
       done = m.done,
       commits = s.commits + 1,
       changed = clock_timestamp(),
       counters = (SELECT array_agg(coalesce(u.a, 0) + coalesce(u.b, 0) ORDER BY u.i)
                     FROM unnest(s.counters, m.counters::bigint[])
                          WITH ORDINALITY AS u (a, b, i))
  FROM unnest($2::integer[], $3::integer[], $4::bytea[], $5::boolean[], $6::text[], $7::bigint[])
       AS m (segment, epoch, resume, done, counters, commits)
 WHERE s.run = $1 AND s.segment = m.segment AND s.epoch = m.epoch AND s.commits = m.commits
