-- SPDX-License-Identifier: MIT
-- What went to `extra`, by place, name and type; of names that found no place all types together.
-- $1 run
SELECT s.place, s.name, t.type, coalesce(t.n, s.filled), s.example
  FROM renorm.shape AS s
  LEFT JOIN LATERAL (SELECT e.key AS type, e.value::bigint AS n
                       FROM jsonb_each_text(s.types) AS e) AS t ON true
 WHERE s.run = $1 AND s.about = 'attribute'
