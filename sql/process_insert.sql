-- SPDX-License-Identifier: MIT
-- $1 run, $2 host, $3 place, $4 pid, $5 ticks
INSERT INTO renorm.process (run, host, place, pid, ticks)
VALUES ($1, $2, $3, $4, $5)
RETURNING process
