-- SPDX-License-Identifier: MIT
-- From the first ledger to the second: it says which renorm made it, and so which can read it.
ALTER TABLE renorm.ledger ADD COLUMN renorm text, ADD COLUMN since timestamptz;
ALTER TABLE renorm.ledger ALTER COLUMN since SET DEFAULT clock_timestamp();
COMMENT ON TABLE renorm.ledger IS 'one row for each version that it had; the highest is its own';
COMMENT ON COLUMN renorm.ledger.renorm IS 'which renorm made it so; NULL: not known';
