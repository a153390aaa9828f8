/* SPDX-License-Identifier: MIT */
#include "pipeline/item/text/json_text.h"

#include <string.h>

#include "pipeline/base/utf8.h"

enum { SCRATCH_KEEP = 8 << 20 }; /* more than this is given back after an unusual text */

static void *scratch_malloc(void *ctx, size_t size)
{
    return arena_alloc(ctx, size);
}

static void *scratch_realloc(void *ctx, void *p, size_t old_size, size_t size)
{
    if (size <= old_size)
        return p;
    void *q = arena_alloc(ctx, size);
    return q ? memcpy(q, p, old_size) : NULL;
}

static void scratch_free(void *ctx, void *p)
{
    (void)ctx;
    (void)p;
}

static enum rc bad_json(struct decode_check *w, const yyjson_read_err *e)
{
    if (e->code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
        return RC_NOMEM;
    if (w->raw.n == 0)
        return fault_set(w->why, "bad-json", 0, "the text is empty");
    size_t bad = utf8_bad(w->raw);
    if (e->code == YYJSON_READ_ERROR_INVALID_STRING && bad <= e->pos && bad < w->raw.n) {
        return fault_set(w->why, "bad-utf8", bad, "byte 0x%02x is not UTF-8",
                         (unsigned char)w->raw.p[bad]);
    }
    /* half of a surrogate pair, escaped: proper JSON, but no character */
    if (e->code == YYJSON_READ_ERROR_INVALID_STRING && strstr(e->msg, "surrogate"))
        return fault_set(w->why, "bad-utf8", e->pos, "%s", e->msg);
    return fault_set(w->why, "bad-json", e->pos, "%s", e->msg);
}

enum rc json_text_parse(struct json_text *t, yyjson_val **root)
{
    yyjson_alc alc = {scratch_malloc, scratch_realloc, scratch_free, t->scratch};
    yyjson_read_err e = {0};
    if (t->scratch->taken > SCRATCH_KEEP)
        arena_release(t->scratch);
    arena_clear(t->scratch);
    union {
        const char *from;
        char *to; /* yyjson's parameter lacks const; without INSITU it is only read */
    } text = {.from = t->w.raw.p};
    yyjson_doc *doc =
        yyjson_read_opts(text.to, t->w.raw.n, YYJSON_READ_NUMBER_AS_RAW, &alc, &e);
    if (!doc)
        return bad_json(&t->w, &e);
    t->copy = doc->str_pool;
    *root = yyjson_doc_get_root(doc);
    return RC_OK;
}

enum rc json_text_of(struct json_text *t, yyjson_val *v, struct str *out)
{
    size_t n = yyjson_get_len(v), at = json_text_offset(t, v);
    const char *text = yyjson_get_str(v) ? yyjson_get_str(v) : yyjson_get_raw(v);
    *out = str_make(t->w.raw.p + at, n);
    if (t->w.raw.n - at >= n && memcmp(out->p, text, n) == 0)
        return RC_OK;
    *out = arena_dup(t->w.arena, str_make(text, n));
    return out->p ? RC_OK : RC_NOMEM;
}
