-- SPDX-License-Identifier: MIT
-- Row -1 stands for all: if it is gone, so is what an unlogged run had loaded.
-- $1 run, $2 segments
INSERT INTO renorm.segment (run, segment, done)
SELECT $1, n, n < 0 FROM generate_series(-1, $2::integer - 1) AS n
    ON CONFLICT DO NOTHING
