-- SPDX-License-Identifier: MIT
-- How many segments are done, are there, and whether row -1 is. $1 run
SELECT count(*) FILTER (WHERE done AND segment >= 0),
       count(*) FILTER (WHERE segment >= 0),
       count(*) FILTER (WHERE segment < 0)
  FROM renorm.segment
 WHERE run = $1
