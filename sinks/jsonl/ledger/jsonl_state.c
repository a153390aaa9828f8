/* SPDX-License-Identifier: MIT */
/* What a run's logs say, as memory: made, owned, released. */
#include <stdlib.h>

#include "sinks/jsonl/ledger/replay.h"

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

void jsonl_state_drop(struct str *owned)
{
    union {
        const char *borrowed;
        char *mine;
    } u = {owned->p};
    free(u.mine);
    *owned = (struct str){0};
}

enum rc jsonl_state_own(struct str *out, struct str text, struct err *err)
{
    char *p = malloc(text.n + 1);
    if (!p)
        return err_nomem(err);
    if (text.n)
        memcpy(p, text.p, text.n);
    p[text.n] = '\0';
    jsonl_state_drop(out);
    *out = str_make(p, text.n);
    return RC_OK;
}

void jsonl_state_release(struct jsonl_state *st)
{
    for (uint32_t i = 0; i < st->nsegments; i++) {
        jsonl_state_drop(&st->segments[i].resume);
        jsonl_state_drop(&st->segments[i].handed);
    }
    reasons_release(&st->reasons);
    extras_release(&st->extras);
    jsonl_state_drop(&st->plan);
    jsonl_state_drop(&st->held.why);
    jsonl_state_drop(&st->held.judged);
    jsonl_state_drop(&st->held.plan);
    jsonl_state_drop(&st->held.from);
    free(st->segments);
    free(st->files);
    free(st->file_at);
    free(st->waiting);
    free(st->counters);
    free(st->reduced);
    jsonl_state_init_bare(st);
}
