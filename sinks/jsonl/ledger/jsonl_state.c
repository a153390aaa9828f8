/* SPDX-License-Identifier: MIT */
/* What a run's logs say, as memory: made, owned, released. */
#include <stdlib.h>

#include "sinks/jsonl/ledger/replay.h"

#include "pipeline/base/memory.h"

enum rc jsonl_state_init(struct jsonl_state *st, const struct schema *schema, struct err *err)
{
    jsonl_state_init_bare(st);
    st->ncounters = schema_counters(schema);
    st->nextracts = schema->nextracts;
    st->counters = calloc(st->ncounters, sizeof *st->counters);
    st->reduced = calloc((size_t)st->nextracts + 1, sizeof *st->reduced);
    bool ready = !extras_init(&st->extras, schema, true);
    if (st->counters && st->reduced && ready)
        return RC_OK;
    jsonl_state_release(st);
    return err_nomem(err);
}

void jsonl_state_init_bare(struct jsonl_state *st)
{
    *st = (struct jsonl_state){0};
}

enum rc jsonl_state_own(struct str *out, struct str text, struct err *err)
{
    return memory_own(out, text) ? RC_OK : err_nomem(err);
}

void jsonl_state_release(struct jsonl_state *st)
{
    for (uint32_t i = 0; i < st->nsegments; i++) {
        memory_disown(&st->segments[i].resume);
        memory_disown(&st->segments[i].handed);
    }
    reasons_release(&st->reasons);
    extras_release(&st->extras);
    memory_disown(&st->plan);
    memory_disown(&st->held.why);
    memory_disown(&st->held.judged);
    memory_disown(&st->held.plan);
    memory_disown(&st->held.from);
    free(st->segments);
    free(st->files);
    free(st->file_at);
    free(st->waiting);
    free(st->counters);
    free(st->reduced);
    jsonl_state_init_bare(st);
}
