/* SPDX-License-Identifier: MIT */
/*
 * Marks: progress of a segment, counts, and the items to be listed. Counts that are zero are
 * not written. The names of fates are part of the format and stay as they are.
 */
#include <stdlib.h>

#include <yyjson.h>

#include "pipeline/base/base64.h"
#include "pipeline/base/json.h"
#include "pipeline/base/utf8.h"
#include "sinks/dynamodb/journal/entry.h"

static const char *const FATE_NAMES[FATES] = {
    [FATE_CHANGED] = "changed",   [FATE_ALREADY] = "already",
    [FATE_SKIPPED] = "skipped",   [FATE_FILTERED] = "filtered",
    [FATE_UNROUTED] = "unrouted", [FATE_CONFLICTED] = "conflicted",
    [FATE_FAILED] = "failed",
};

static void add_counts(struct buf *b, const struct journal_mark *m)
{
    bool first_row = true;
    buf_puts(b, ",\"counts\":{");
    for (uint32_t r = 0; r < m->rows; r++) {
        bool first = true;
        for (uint32_t f = 0; f < FATES; f++) {
            uint64_t n = m->counts[(size_t)r * FATES + f];
            if (!n)
                continue;
            if (first)
                buf_addf(b, "%s\"%u\":{", first_row ? "" : ",", r);
            json_add_name(b, &first, FATE_NAMES[f]);
            buf_addf(b, "%llu", (unsigned long long)n);
            first_row = false;
        }
        if (!first)
            buf_putc(b, '}');
    }
    buf_putc(b, '}');
}

static void add_listed(struct buf *b, struct str lines)
{
    bool first = true;
    buf_puts(b, ",\"listed\":[");
    while (lines.n) {
        size_t end = str_find(lines, STR("\n"), 0);
        if (end && !first)
            buf_putc(b, ',');
        first = first && !end;
        buf_add(b, lines.p, end);
        lines = str_from(lines, end < lines.n ? end + 1 : end);
    }
    buf_putc(b, ']');
}

static void add_resume(struct buf *b, struct str resume)
{
    bool text = utf8_bad(resume) == resume.n;
    buf_puts(b, text ? ",\"resume\":" : ",\"resume_base64\":\"");
    if (text) {
        json_add_string(b, resume);
    } else {
        base64_add(b, resume);
        buf_putc(b, '"');
    }
}

void entry_mark(struct buf *b, const struct journal_mark *m)
{
    buf_addf(b, "{\"mark\":%u,\"done\":%s", m->segment, m->done ? "true" : "false");
    if (m->resume.n)
        add_resume(b, m->resume);
    add_counts(b, m);
    if (m->listed.n)
        add_listed(b, m->listed);
    buf_putc(b, '}');
}

static enum rc bad(struct err *err)
{
    return err_set(err, RC_SINK, "the journal holds a mark that makes no sense");
}

static struct str text_of(yyjson_val *v)
{
    return yyjson_is_str(v) ? str_make(yyjson_get_str(v), yyjson_get_len(v))
                            : (struct str){0}; /* a number has a length, too */
}

static enum rc tell_progress(const struct entry *e, yyjson_val *root,
                             const struct mark_taker *to, struct err *err)
{
    bool done = yyjson_get_bool(yyjson_obj_get(root, "done"));
    struct str b64 = text_of(yyjson_obj_get(root, "resume_base64"));
    struct str text = text_of(yyjson_obj_get(root, "resume"));
    if (!b64.n)
        return to->progress(to->ctx, e->segment, done, text, err);
    size_t n = 0, at = 0;
    unsigned char *p = malloc(base64_room(b64.n) + 1);
    if (!p)
        return err_nomem(err);
    enum rc rc = base64_decode(b64, p, &n, &at)
                     ? to->progress(to->ctx, e->segment, done, str_make((char *)p, n), err)
                     : bad(err);
    free(p);
    return rc;
}

static bool fate_of(struct str name, enum fate *out)
{
    for (int i = 0; i < FATES; i++) {
        *out = (enum fate)i;
        if (str_is(name, FATE_NAMES[i]))
            return true;
    }
    return false;
}

static enum rc tell_row(yyjson_val *key, yyjson_val *fates, const struct mark_taker *to,
                        struct err *err)
{
    unsigned long long row = 0, n = 0;
    size_t i, max;
    yyjson_val *name, *v;
    if (!str_uint(text_of(key), &row) || row > UINT32_MAX || !yyjson_is_obj(fates))
        return bad(err);
    yyjson_obj_foreach(fates, i, max, name, v)
    {
        enum fate fate;
        struct str digits = str_make(yyjson_get_raw(v), yyjson_get_len(v));
        if (!fate_of(text_of(name), &fate) || !digits.p || !str_uint(digits, &n))
            return bad(err);
        enum rc rc = to->count(to->ctx, (uint32_t)row, fate, n, err);
        if (rc)
            return rc;
    }
    return RC_OK;
}

static enum rc tell_listed(yyjson_val *v, const struct mark_taker *to, struct err *err)
{
    size_t n = 0;
    char *text = yyjson_val_write(v, 0, &n);
    if (!text)
        return err_nomem(err);
    enum rc rc = to->listed(to->ctx, str_make(text, n), err);
    free(text);
    return rc;
}

static enum rc tell(const struct entry *e, yyjson_val *root, const struct mark_taker *to,
                    struct err *err)
{
    size_t i, max;
    yyjson_val *key, *v;
    enum rc rc = to->progress ? tell_progress(e, root, to, err) : RC_OK;
    yyjson_val *counts = yyjson_obj_get(root, "counts");
    if (to->count && counts && !rc) {
        yyjson_obj_foreach(counts, i, max, key, v)
        {
            if (!rc)
                rc = tell_row(key, v, to, err);
        }
    }
    yyjson_val *listed = yyjson_obj_get(root, "listed");
    if (to->listed && listed && !rc) {
        yyjson_arr_foreach(listed, i, max, v)
        {
            if (!rc)
                rc = tell_listed(v, to, err);
        }
    }
    return rc;
}

enum rc entry_mark_read(const struct entry *e, const struct mark_taker *to, struct err *err)
{
    yyjson_read_err why = {0};
    union {
        const char *from;
        char *to; /* yyjson's parameter lacks const; without INSITU it is only read */
    } text = {.from = e->mark.p};
    yyjson_doc *doc =
        yyjson_read_opts(text.to, e->mark.n, YYJSON_READ_NUMBER_AS_RAW, NULL, &why);
    if (why.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
        return err_nomem(err);
    enum rc rc = doc ? tell(e, yyjson_doc_get_root(doc), to, err) : bad(err);
    yyjson_doc_free(doc);
    return rc;
}
