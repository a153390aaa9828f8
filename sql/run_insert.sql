-- SPDX-License-Identifier: MIT
-- $1 target, $2 mode, $3 model, $4 source, $5 source for people, $6 options, $7 version,
-- $8 now, $9 segments, $10 unlogged, $11 names of the counters, $12 how new the source is
INSERT INTO renorm.run (target, mode, model_hash, source_identity, source_text, options,
                        version, now_us, segments, unlogged, counters, source_us)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
RETURNING run
