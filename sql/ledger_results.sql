-- SPDX-License-Identifier: MIT
-- The second half of the ledger: what came of a run.
CREATE TABLE renorm.step (
    run bigint NOT NULL REFERENCES renorm.run ON DELETE CASCADE,
    step integer NOT NULL,
    name text NOT NULL,
    started timestamptz,
    finished timestamptz,
    amount bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (run, step)
);
COMMENT ON TABLE renorm.step IS 'what is left to do after the last row, done one by one';

CREATE TABLE renorm.table_total (
    run bigint NOT NULL REFERENCES renorm.run ON DELETE CASCADE,
    name text NOT NULL,
    rows bigint NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (run, name)
);

CREATE TABLE renorm.reject (
    run bigint NOT NULL,
    segment integer NOT NULL,
    kind text NOT NULL,
    entity text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    file text,
    position bigint NOT NULL,
    item bytea NOT NULL
);
CREATE INDEX reject_run ON renorm.reject (run);
COMMENT ON TABLE renorm.reject IS
    'items that became no rows, byte for byte, with the reason; may hold personal data';
COMMENT ON COLUMN renorm.reject.file IS 'where it stood, if in a file: position is counted there';

CREATE TABLE renorm.orphan (
    run bigint NOT NULL REFERENCES renorm.run ON DELETE CASCADE,
    table_name text NOT NULL,
    constraint_name text NOT NULL,
    key jsonb NOT NULL,
    source_key text
);
CREATE INDEX orphan_run ON renorm.orphan (run);
COMMENT ON TABLE renorm.orphan IS
    'rows whose parent is not there, at most 1,000 examples for each constraint';

CREATE TABLE renorm.target (
    relation regclass PRIMARY KEY,
    run bigint NOT NULL,
    comments jsonb NOT NULL DEFAULT '{}'
);
COMMENT ON TABLE renorm.target IS 'tables renorm made: no others are ever replaced';
COMMENT ON COLUMN renorm.target.comments IS
    'by column, "" for the table, as renorm made them: all else in it is people''s own';
