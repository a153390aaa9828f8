-- SPDX-License-Identifier: MIT
-- One row if a crash has emptied the segment table of an unlogged run; a run that somebody has made
-- a logged one has its rows elsewhere. One statement, for one snapshot. $1 run
SELECT r.run
  FROM renorm.run AS r
 WHERE r.run = $1 AND r.unlogged
   AND NOT EXISTS (SELECT FROM renorm.segment_unlogged AS s
                    WHERE s.run = r.run AND s.segment = -1)
