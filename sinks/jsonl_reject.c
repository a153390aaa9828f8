/* SPDX-License-Identifier: MIT */
/*
 * The item is embedded, not copied through a writer: duplicate members, odd numbers and odd
 * escapes are often the very reason of a reject. Texts for people are cut to what is valid
 * UTF-8, so that one bad byte does not spoil the line.
 */
#include "sinks/jsonl_reject.h"

#include <yyjson.h>

#include "sinks/jsonl_record.h"

static bool is_json(struct str raw)
{
    yyjson_doc *doc = raw.n ? yyjson_read(raw.p, raw.n, YYJSON_READ_NUMBER_AS_RAW) : NULL;
    yyjson_doc_free(doc);
    return doc != NULL;
}

static void add_item(struct buf *b, struct str raw)
{
    if (!is_json(raw)) {
        buf_puts(b, ",\"item_base64\":");
        jsonl_record_base64(b, raw);
        return;
    }
    buf_puts(b, ",\"item\":");
    size_t at = b->len;
    buf_add_str(b, raw);
    for (; b->rc == RC_OK && at < b->len; at++) {
        if (b->p[at] == '\n' || b->p[at] == '\r')
            b->p[at] = ' ';
    }
}

void jsonl_reject(struct buf *b, const struct reject *r, const struct batch *of)
{
    buf_puts(b, "{\"renorm\":{\"reason\":");
    jsonl_record_text(b, str_of(r->reason));
    buf_puts(b, ",\"detail\":");
    jsonl_record_text(b, r->detail);
    buf_puts(b, ",\"entity\":");
    jsonl_record_text(b, r->entity);
    if (of->input) {
        buf_puts(b, ",\"file\":");
        jsonl_record_text(b, str_of(of->input));
    }
    buf_addf(b, ",\"segment\":%u,\"position\":%llu}", of->segment,
             (unsigned long long)r->position);
    add_item(b, r->raw);
    buf_putc(b, '}');
}
