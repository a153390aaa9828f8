-- SPDX-License-Identifier: MIT
-- From the third ledger to the fourth: a reject says what it is about, and can be
-- read; a run says how new its source is and why it is not shown.
ALTER TABLE renorm.reject
    ADD COLUMN column_name text,
    ADD COLUMN example text,
    ADD COLUMN item_json jsonb;
COMMENT ON COLUMN renorm.reject.column_name IS
    'TABLE.COLUMN or the attribute that it is about; NULL: the item as a whole';
COMMENT ON COLUMN renorm.reject.example IS 'what sheets may show of it: nothing that mask hides';
COMMENT ON COLUMN renorm.reject.item_json IS
    'the item to look into; NULL: it is no JSON that jsonb can hold, or an earlier renorm kept it';
ALTER TABLE renorm.run
    ADD COLUMN source_us bigint NOT NULL DEFAULT 0,
    ADD COLUMN why text,
    ADD COLUMN held jsonb,
    ADD COLUMN superseded_by bigint;
COMMENT ON COLUMN renorm.run.source_us IS
    'how new its source is, in microseconds since 1970; 0: not known';
COMMENT ON COLUMN renorm.run.why IS 'why it is held, or was abandoned';
COMMENT ON COLUMN renorm.run.held IS 'what is needed to show it though it is held';
COMMENT ON COLUMN renorm.run.superseded_by IS 'the run that took its place unfinished';
