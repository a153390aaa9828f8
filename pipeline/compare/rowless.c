/* SPDX-License-Identifier: MIT */
/*
 * An item is spelled as its source spelled it: a table's answer has no spaces, an export line may.
 * So it is compared in its canonical form; only what is no item at all by its bytes. A folder keeps
 * those on one line, so breaks between their tokens are spaces there.
 */
#include "pipeline/compare/rows_reader.h"
#include "pipeline/item/canon.h"
#include "pipeline/item/decoder.h"

static void add_bytes(struct buf *buf, struct str item)
{
    size_t at = buf->len;
    buf_add_str(buf, item);
    for (; !buf->rc && at < buf->len; at++) {
        if (buf->p[at] == '\n' || buf->p[at] == '\r')
            buf->p[at] = ' ';
    }
}

static enum rc add_item(struct buf *buf, struct str raw, struct err *err)
{
    struct item item;
    struct fault why;
    struct arena arena;
    struct decoder *decoder = decoder_new();
    if (!decoder)
        return err_nomem(err);
    arena_init(&arena, 4096);
    enum rc rc = item_decode(decoder, raw, &arena, &item, &why);
    if (rc == RC_DATA) { /* or is it an item without type tags? */
        decoder_set_form(decoder, DECODER_PLAIN);
        rc = item_decode(decoder, raw, &arena, &item, &why);
    }
    if (rc == RC_DATA) {
        add_bytes(buf, raw);
        rc = RC_OK;
    } else if (!rc) {
        canon_ddb_members(buf, item.members, item.n);
    }
    arena_release(&arena);
    decoder_free(decoder);
    return rc ? err_nomem(err) : RC_OK;
}

enum rc rowless_add(struct tally_sum *to, struct str reason, struct str item, struct buf *buf,
                    struct err *err)
{
    buf_clear(buf);
    buf_add_str(buf, reason);
    buf_putc(buf, '\n');
    enum rc rc = add_item(buf, item, err);
    if (!rc)
        rc = buf_check(buf, err);
    if (!rc)
        tally_sum_add(to, buf_view(buf));
    return rc;
}
