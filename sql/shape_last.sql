-- SPDX-License-Identifier: MIT
-- The profile of the last published run of a target, but for the run itself. $1 target, $2 run
SELECT coalesce(jsonb_agg(jsonb_strip_nulls(to_jsonb(s)) - 'run' - 'line' ORDER BY s.line), '[]')
  FROM renorm.shape AS s
 WHERE s.run = (SELECT max(run) FROM renorm.run
                 WHERE target = $1 AND state = 'published' AND run <> $2)
