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
    item bytea NOT NULL,
    column_name text,
    example text,
    item_json jsonb
);
CREATE INDEX reject_run ON renorm.reject (run);
COMMENT ON TABLE renorm.reject IS
    'items that became no rows, byte for byte, with the reason; may hold personal data';
COMMENT ON COLUMN renorm.reject.file IS 'where it stood, if in a file: position is counted there';
COMMENT ON COLUMN renorm.reject.column_name IS
    'TABLE.COLUMN or the attribute that it is about; NULL: the item as a whole';
COMMENT ON COLUMN renorm.reject.example IS 'what sheets may show of it: nothing that mask hides';
COMMENT ON COLUMN renorm.reject.item_json IS
    'the item to look into; NULL: it is no JSON that jsonb can hold, or an earlier renorm kept it';

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
