-- SPDX-License-Identifier: MIT
-- After a lost connection: shuts out what the old one may still do, and says what it did.
-- $1 run, $2 process, $3 segments
UPDATE renorm.segment AS s
   SET epoch = s.epoch + 1, changed = clock_timestamp()
 WHERE s.run = $1 AND s.owner = $2 AND s.segment = ANY ($3::integer[])
RETURNING s.segment, s.epoch, s.commits
