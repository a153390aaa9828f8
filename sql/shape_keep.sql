-- SPDX-License-Identifier: MIT
-- The profile of a run, unless it is published: whoever did that has kept it. $1 run, $2 records
WITH gone AS (
    DELETE FROM renorm.shape AS s USING renorm.run AS r
     WHERE s.run = $1 AND r.run = s.run AND r.state <> 'published'
    RETURNING s.line
)
INSERT INTO renorm.shape (run, line, about, place, name, rows, filled, types, example, finding,
                          text)
SELECT r.run, n.line + coalesce((SELECT max(line) FROM gone), 0), v.about, v.place, v.name, v.rows,
       v.filled, v.types, v.example, v.finding, v.text
  FROM renorm.run AS r,
       jsonb_array_elements($2::jsonb) WITH ORDINALITY AS n (record, line),
       jsonb_to_record(n.record) AS v (about text, place text, name text, rows bigint,
                                       filled bigint, types jsonb, example text, finding text,
                                       text text)
 WHERE r.run = $1 AND r.state <> 'published'
