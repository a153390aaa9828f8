-- SPDX-License-Identifier: MIT
-- The unfinished run of a target, locked. $1 target
SELECT run, mode, state, loaded, model_hash, source_identity, options, now_us, segments,
       unlogged, to_char(started, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), source_text,
       source_us, coalesce(held ->> 'judged', '')
  FROM renorm.run
 WHERE target = $1 AND state IN ('loading', 'held')
   FOR UPDATE
