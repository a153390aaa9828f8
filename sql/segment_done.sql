-- SPDX-License-Identifier: MIT
-- $1 run, $2 segment
SELECT done FROM renorm.segment WHERE run = $1 AND segment = $2
