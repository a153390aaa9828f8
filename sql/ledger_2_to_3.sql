-- SPDX-License-Identifier: MIT
-- From the second ledger to the third: the shape of what a run has loaded, and what was appended,
-- also when the run has left the ledger.
CREATE TABLE renorm.shape (
    run bigint NOT NULL REFERENCES renorm.run ON DELETE CASCADE,
    line integer NOT NULL,
    about text NOT NULL,
    place text NOT NULL,
    name text NOT NULL,
    rows bigint,
    filled bigint,
    types jsonb,
    example text,
    finding text,
    text text,
    PRIMARY KEY (run, line)
);
COMMENT ON TABLE renorm.shape IS
    'what the data of a run looked like: entities, stages, columns, attributes in "extra", findings';

CREATE TABLE renorm.appended (
    target text NOT NULL,
    load text NOT NULL,
    run bigint NOT NULL,
    finished timestamptz NOT NULL,
    relations regclass[] NOT NULL,
    PRIMARY KEY (target, load)
);
COMMENT ON TABLE renorm.appended IS
    'what append has added, for as long as the tables stand: it is not added once more';
COMMENT ON COLUMN renorm.appended.load IS 'hash of model, options and source, as those of the run';
-- tables that were replaced since do not hold those rows any more, nor do those that are gone (0)
INSERT INTO renorm.appended (target, load, run, finished, relations)
SELECT DISTINCT ON (a.target, a.load) a.*
  FROM (SELECT r.target,
               encode(sha256(convert_to(concat_ws(E'\n', r.model_hash, r.options,
                                                  r.source_identity), 'UTF8')), 'hex') AS load,
               r.run, r.finished,
               (SELECT array_agg(coalesce(c.oid, 0)::regclass)
                  FROM renorm.table_total AS t
                  LEFT JOIN pg_catalog.pg_namespace AS n ON n.nspname = r.target
                  LEFT JOIN pg_catalog.pg_class AS c
                    ON c.relnamespace = n.oid AND c.relname = t.name
                 WHERE t.run = r.run) AS relations
          FROM renorm.run AS r
         WHERE r.state = 'published' AND r.mode = 'append'
           AND NOT EXISTS (SELECT FROM renorm.run AS l
                            WHERE l.target = r.target AND l.run > r.run
                              AND l.mode = 'replace' AND l.state = 'published')) AS a
 WHERE a.relations IS NOT NULL
 ORDER BY a.target, a.load, a.run DESC;
