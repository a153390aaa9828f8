-- SPDX-License-Identifier: MIT
-- Finished runs of a target leave the ledger, but for the newest. $1 target, $2 how many stay
WITH old AS (
    SELECT run FROM renorm.run
     WHERE target = $1 AND state IN ('published', 'abandoned')
     ORDER BY run DESC OFFSET $2::bigint
), rejects AS (
    DELETE FROM renorm.reject WHERE run IN (SELECT run FROM old)
), segments AS (
    DELETE FROM renorm.segment_unlogged WHERE run IN (SELECT run FROM old)
)
DELETE FROM renorm.run WHERE run IN (SELECT run FROM old)
