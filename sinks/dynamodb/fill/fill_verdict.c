/* SPDX-License-Identifier: MIT */
/* A balance that does not add up is a defect of renorm, and is never passed over. */
#include "sinks/dynamodb/fill/fill_verdict.h"

#include <inttypes.h>

uint64_t fill_count(const struct fill_result *r, enum fate fate)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < r->rows; i++)
        n += r->counts[(size_t)i * FATES + fate];
    return n;
}

enum rc fill_balance(const struct fill_result *r, struct err *err)
{
    uint64_t sum = 0;
    for (int f = 0; f < FATES; f++)
        sum += fill_count(r, (enum fate)f);
    if (sum == r->read)
        return RC_OK;
    return err_set(err, RC_SINK,
                   "the balance does not add up: %" PRIu64 " items read, %" PRIu64
                   " accounted for",
                   r->read, sum);
}

enum rc fill_verdict(const struct fill_result *r, const struct allowance *rejects,
                     const struct allowance *unrouted, struct err *err)
{
    enum rc rc = fill_balance(r, err);
    if (rc)
        return rc;
    uint64_t conflicted = fill_count(r, FATE_CONFLICTED);
    uint64_t failed = fill_count(r, FATE_FAILED);
    uint64_t astray = fill_count(r, FATE_UNROUTED);
    if (!run_allowance_exceeded(rejects, conflicted + failed, r->read) &&
        !run_allowance_exceeded(unrouted, astray, r->read))
        return RC_OK;
    return err_set(err, RC_FINISHED_BAD,
                   "%" PRIu64 " items failed, %" PRIu64 " were changed by others, %" PRIu64
                   " unrouted: more than allowed",
                   failed, conflicted, astray);
}

enum rc fill_verdict_undo(const struct undo_result *r, const struct allowance *rejects,
                          struct err *err)
{
    uint64_t ends = r->restored + r->already + r->conflicted + r->failed;
    if (ends != r->intents) {
        return err_set(err, RC_SINK,
                       "the balance does not add up: %" PRIu64
                       " changes in the journal, %" PRIu64 " accounted for",
                       r->intents, ends);
    }
    if (!run_allowance_exceeded(rejects, r->conflicted + r->failed, r->intents))
        return RC_OK;
    return err_set(err, RC_FINISHED_BAD,
                   "%" PRIu64 " items were changed by others since, %" PRIu64
                   " failed: more than allowed",
                   r->conflicted, r->failed);
}
