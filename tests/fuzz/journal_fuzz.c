/* SPDX-License-Identifier: MIT */
/*
 * The reader of a backfill's journal: the input is one record, its checksum taken as right. What
 * is read as an intent must be written and read again as the same.
 */
#include <stdlib.h>

#include "pipeline/item/canon.h"
#include "sinks/dynamodb/journal/entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static enum rc see_progress(void *ctx, uint32_t segment, bool done, struct str resume,
                            struct err *err)
{
    (void)ctx;
    (void)segment;
    (void)done;
    (void)err;
    if (resume.n && !resume.p)
        abort();
    return RC_OK;
}

static enum rc see_count(void *ctx, uint32_t row, enum fate fate, uint64_t n, struct err *err)
{
    (void)ctx;
    (void)row;
    (void)n;
    (void)err;
    if (fate >= FATES)
        abort();
    return RC_OK;
}

static enum rc see_listed(void *ctx, struct str json, struct err *err)
{
    (void)ctx;
    (void)err;
    if (!json.n || memchr(json.p, '\n', json.n))
        abort();
    return RC_OK;
}

static bool same(const struct val *a, const struct val *b)
{
    return a && b ? value_eq(a, b) : a == b;
}

/* The last of a name counts when a map holds it twice, which nobody writes. */
static bool has_twins(const struct change *c)
{
    for (uint32_t i = 0; i < c->ntargets; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (str_eq(c->targets[i].path.members[0], c->targets[k].path.members[0]))
                return true;
        }
    }
    return false;
}

static void again(const struct entry *e, const struct change *c, struct decoder *d,
                  struct arena *a)
{
    struct buf b;
    struct entry e2;
    struct change c2;
    struct err err;
    buf_init(&b, BUF_NO_LIMIT);
    buf_putc(&b, '[');
    entry_intent(&b, e->id, e->segment, e->key, c);
    buf_putc(&b, ']');
    struct str rest = buf_view(&b);
    if (entry_next(&rest, &e2, &err) || entry_change(&e2, d, a, &c2, &err))
        abort();
    if (e2.id != e->id || e2.segment != e->segment || e2.bytes != e->bytes)
        abort();
    uint32_t differ = 0;
    for (uint32_t i = 0; i < c->ntargets; i++)
        differ += !same(c->targets[i].old, c->targets[i].new_);
    if (c2.ntargets != differ)
        abort();
    buf_release(&b);
}

static void read_entry(const struct entry *e, struct decoder *d, struct arena *a)
{
    const struct mark_taker to = {
        .progress = see_progress, .count = see_count, .listed = see_listed};
    struct change c;
    struct err err;
    arena_clear(a);
    if (e->kind == ENTRY_MARK) {
        (void)!entry_mark_read(e, &to, &err);
    } else if (e->kind == ENTRY_INTENT && !entry_change(e, d, a, &c, &err) && !has_twins(&c)) {
        again(e, &c, d, a);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = {(const char *)data, size};
    struct decoder *d = decoder_new();
    struct entry e;
    struct err err;
    struct arena a;
    arena_init(&a, 0);
    while (d && !entry_next(&rest, &e, &err))
        read_entry(&e, d, &a);
    arena_release(&a);
    decoder_free(d);
    return 0;
}
