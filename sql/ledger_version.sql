-- SPDX-License-Identifier: MIT
-- The ledger's version and which renorm made it so. The first ledger does not say the latter.
SELECT version, coalesce(to_jsonb(l) ->> 'renorm', '')
  FROM renorm.ledger AS l
 ORDER BY version DESC
 LIMIT 1
