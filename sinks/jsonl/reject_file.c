/* SPDX-License-Identifier: MIT */
/*
 * The item is embedded, not copied through a writer: duplicate members, odd numbers and odd
 * escapes are often the very reason of a reject. Texts for people are cut to what is valid
 * UTF-8, so that one bad byte does not spoil the line.
 */
#include "sinks/jsonl/reject_file.h"

#include <yyjson.h>

#include "pipeline/base/base64.h"
#include "sinks/jsonl/ledger/record.h"

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
    for (; !b->rc && at < b->len; at++) {
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

static enum rc decode(struct str text, struct buf *out, struct str *item, struct err *err)
{
    size_t n = 0, bad = 0;
    buf_clear(out);
    if (!buf_room(out, base64_room(text.n) + 1))
        return buf_check(out, err);
    if (base64_decode(text, (unsigned char *)out->p, &n, &bad))
        *item = str_make(out->p, n);
    return RC_OK;
}

/*
 * Quotes inside of strings are escaped, so the first place where these words stand is where the
 * members begin.
 */
enum rc jsonl_reject_split(struct str line, struct buf *decoded, struct str *reason,
                           struct str *item, struct err *err)
{
    static const struct str HEAD = {"{\"renorm\":{\"reason\":\"", 21},
                            JSON = {"},\"item\":", 9}, BYTES = {"},\"item_base64\":\"", 17};
    *reason = (struct str){0};
    *item = line;
    if (!str_starts(line, HEAD) || !str_ends(line, STR("}")))
        return RC_OK;
    size_t end = str_find(line, STR("\""), HEAD.n);
    size_t json = str_find(line, JSON, HEAD.n), bytes = str_find(line, BYTES, HEAD.n);
    if (end < line.n)
        *reason = str_make(line.p + HEAD.n, end - HEAD.n);
    if (json < line.n && json < bytes) {
        size_t from = json + JSON.n;
        *item = str_make(line.p + from, line.n - from - 1);
    } else if (bytes < line.n) {
        size_t from = bytes + BYTES.n;
        return decode(str_make(line.p + from, line.n - from - 2), decoded, item, err);
    }
    return RC_OK;
}
