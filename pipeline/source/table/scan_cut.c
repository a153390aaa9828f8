/* SPDX-License-Identifier: MIT */
/*
 * The body is an object; its members are walked in whatever order they come. Items are only
 * delimited here, for they are parsed and validated later.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
 */
#include "pipeline/source/table/scan_cut.h"

#include "pipeline/source/files/format/cursor.h"
#include "pipeline/source/files/format/skip.h"

struct scan_text {
    struct cursor c; /* in the body */
    bool low;        /* a byte below the blank was met inside a value */
};

/* A string with its quotes. */
static bool text(struct scan_text *w, struct str *out)
{
    size_t start = w->c.at;
    if (!cursor_eat(&w->c, '"'))
        return false;
    for (; w->c.at < w->c.s.n && w->c.s.p[w->c.at] != '"'; w->c.at++) {
        w->c.at += w->c.s.p[w->c.at] == '\\' && w->c.at + 1 < w->c.s.n;
        w->low |= (unsigned char)w->c.s.p[w->c.at] < ' ';
    }
    if (w->c.at >= w->c.s.n)
        return false;
    w->c.at++;
    *out = str_make(w->c.s.p + start, w->c.at - start);
    return true;
}

static bool value(struct scan_text *w, struct str *out)
{
    char c = cursor_peek(&w->c);
    size_t start = w->c.at;
    bool done = false;
    if (c == '"')
        return text(w, out);
    if (c == '{' || c == '[') {
        struct skip s = {0};
        w->c.at += skip_run(&s, w->c.s.p + w->c.at, w->c.s.n - w->c.at, &done);
        w->low |= s.low;
    } else {
        for (; w->c.at < w->c.s.n && !char_in(w->c.s.p[w->c.at], ",]} \t\r\n"); w->c.at++)
            w->low |= (unsigned char)w->c.s.p[w->c.at] < ' ';
        done = w->c.at > start;
    }
    *out = str_make(w->c.s.p + start, w->c.at - start);
    return done;
}

static enum rc torn(const struct scan_text *w, struct err *err)
{
    return err_set(err, RC_TRANSIENT,
                   "the answer to Scan is not whole JSON: trouble at byte %zu of %zu", w->c.at,
                   w->c.s.n);
}

static enum rc items(struct scan_text *w, struct page *page, struct scan_rest *rest,
                     struct err *err)
{
    if (!cursor_eat(&w->c, '['))
        return torn(w, err);
    rest->has_items = true;
    if (cursor_eat(&w->c, ']'))
        return RC_OK;
    do {
        struct str item;
        if (!value(w, &item))
            return torn(w, err);
        if (page_add_extent(page, (size_t)(item.p - w->c.s.p), item.n, NULL))
            return err_nomem(err);
        rest->items++;
    } while (cursor_eat(&w->c, ','));
    return cursor_eat(&w->c, ']') ? RC_OK : torn(w, err);
}

static bool note(struct scan_rest *rest, struct str name, struct str v)
{
    unsigned long long n = 0;
    bool count = str_is(name, "\"Count\""), scanned = str_is(name, "\"ScannedCount\"");
    if ((count || scanned) && !str_uint(v, &n))
        return false;
    if (count) {
        rest->count = n;
        rest->has_count = true;
    }
    if (scanned) {
        rest->scanned = n;
        rest->has_scanned = true;
    }
    if (str_is(name, "\"LastEvaluatedKey\"")) /* a null, too, is no end: that is its absence */
        rest->last_key = v;
    if (v.p[0] == '{' && str_is(name, "\"ConsumedCapacity\""))
        rest->consumed = v;
    return true;
}

static enum rc member(struct scan_text *w, struct page *page, struct scan_rest *rest,
                      struct err *err)
{
    struct str name, v;
    cursor_blanks(&w->c);
    if (!text(w, &name) || !cursor_eat(&w->c, ':'))
        return torn(w, err);
    if (str_is(name, "\"Items\"") && cursor_peek(&w->c) == '[')
        return items(w, page, rest, err);
    return value(w, &v) && note(rest, name, v) ? RC_OK : torn(w, err);
}

enum rc scan_cut(struct str body, struct page *page, struct scan_rest *rest, struct err *err)
{
    struct scan_text w = {.c = {.s = body}};
    *rest = (struct scan_rest){0};
    page->format = PAGE_EXTENTS;
    if (!cursor_eat(&w.c, '{'))
        return torn(&w, err);
    if (!cursor_eat(&w.c, '}')) {
        do {
            enum rc rc = member(&w, page, rest, err);
            if (rc)
                return rc;
        } while (cursor_eat(&w.c, ','));
        if (!cursor_eat(&w.c, '}'))
            return torn(&w, err);
    }
    cursor_blanks(&w.c);
    rest->low = w.low;
    return w.c.at == body.n ? RC_OK : torn(&w, err);
}
