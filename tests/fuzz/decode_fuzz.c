/* SPDX-License-Identifier: MIT */
/*
 * The item decoder on any bytes: the fast decoder may only take what the careful one takes,
 * with the same result; what is taken survives the way through canonical text; every cast
 * of every value ends well.
 */
#include <stdint.h>
#include <stdlib.h>

#include "pipeline/item/canon.h"
#include "pipeline/item/cast/cast.h"
#include "pipeline/item/decode_fast.h"
#include "pipeline/item/decoder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void canon(struct buf *b, const struct item *item)
{
    buf_clear(b);
    canon_ddb_members(b, item->members, item->n);
    must(!b->rc);
}

static void cast_all(const struct item *item, struct arena *a, struct buf *b)
{
    for (uint32_t i = 0; i < item->n; i++) {
        for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
            struct cast cast = {.type = t, .unit = UNIT_MS, .lossy = i % 32};
            struct datum cell;
            struct fault why;
            unsigned used;
            enum rc rc = cast_value(&cast, &item->members[i].val, a, &cell, &used, &why);
            must(!rc || rc == RC_DATA);
            must((used & ~cast.lossy) == 0);
            if (rc)
                continue;
            buf_clear(b);
            datum_json(b, t, &cell);
            must(datum_cmp(t, &cell, &cell) == 0);
        }
    }
}

/* Canonical text reads back as the same value, by either reader. */
static void check_taken(struct decoder *d, const struct item *item, struct arena *a,
                        struct buf *text)
{
    struct item again;
    struct fault why;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    canon(text, item);
    must(!item_decode_careful(d, buf_view(text), a, &again, &why));
    /* a lone attribute "Item" may be taken for the wrapper of an item */
    if (item->n != 1 || !str_is(item->members[0].name, "Item")) {
        canon(&b, &again);
        must(str_eq(buf_view(text), buf_view(&b)));
    }
    cast_all(item, a, &b);
    buf_release(&b);
}

/* Plain JSON prints as plain JSON that reads back as the same value. */
static void check_plain(struct decoder *d, struct str raw, struct arena *a)
{
    struct val v, again;
    struct fault why = {0};
    struct buf one, two;
    uint64_t lossy = 0;
    enum rc rc = decoder_parse(d, DECODER_PLAIN, raw, a, &v, &why);
    must(!rc || (rc == RC_DATA && why.reason && why.position <= raw.n));
    if (rc)
        return;
    buf_init(&one, BUF_NO_LIMIT);
    buf_init(&two, BUF_NO_LIMIT);
    canon_plain(&one, &v, &lossy);
    must(!one.rc && lossy == 0);
    must(!decoder_parse(d, DECODER_PLAIN, buf_view(&one), a, &again, &why));
    canon_plain(&two, &again, &lossy);
    must(str_eq(buf_view(&one), buf_view(&two)));
    buf_release(&one);
    buf_release(&two);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str raw = {(const char *)data, size};
    struct decoder *d = decoder_new();
    struct decode_fast fast;
    struct arena a;
    struct buf one, two;
    struct item item, careful;
    struct fault why = {0};
    must(d != NULL);
    decode_fast_init(&fast);
    arena_init(&a, 0);
    buf_init(&one, BUF_NO_LIMIT);
    buf_init(&two, BUF_NO_LIMIT);
    bool taken = decode_fast_item(&fast, raw, &a, &item);
    must(decode_fast_item(&fast, raw, &a, &item) == taken); /* now that its names are known */
    enum rc rc = item_decode_careful(d, raw, &a, &careful, &why);
    must(!rc || (rc == RC_DATA && !taken && why.reason && why.position <= size));
    if (taken) {
        canon(&one, &item);
        canon(&two, &careful);
        must(str_eq(buf_view(&one), buf_view(&two)));
        must(item_size(item.members, item.n) == item_size(careful.members, careful.n));
    }
    if (!rc)
        check_taken(d, &careful, &a, &one);
    check_plain(d, raw, &a);
    struct val typed;
    rc = decoder_parse(d, DECODER_TYPED, raw, &a, &typed, &why);
    must(!rc || rc == RC_DATA);
    buf_release(&one);
    buf_release(&two);
    arena_release(&a);
    decode_fast_release(&fast);
    decoder_free(d);
    return 0;
}
