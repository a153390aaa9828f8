/* SPDX-License-Identifier: MIT */
/*
 * The body is an object; its members are walked in whatever order they come. Items are only
 * delimited here, for they are parsed and validated later.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Scan.html
 */
#include "pipeline/source/scan_cut.h"

#include "pipeline/source/chars.h"
#include "pipeline/source/skip.h"

struct walk {
    struct str body;
    size_t at;
    bool low; /* a byte below the blank was met inside a value */
};

static void blanks(struct walk *w)
{
    while (w->at < w->body.n && char_blank(w->body.p[w->at]))
        w->at++;
}

static char peek(struct walk *w)
{
    blanks(w);
    return w->at < w->body.n ? w->body.p[w->at] : '\0';
}

static bool eat(struct walk *w, char c)
{
    if (peek(w) != c)
        return false;
    w->at++;
    return true;
}

/* A string with its quotes. */
static bool text(struct walk *w, struct str *out)
{
    size_t start = w->at;
    if (!eat(w, '"'))
        return false;
    for (; w->at < w->body.n && w->body.p[w->at] != '"'; w->at++) {
        w->at += w->body.p[w->at] == '\\' && w->at + 1 < w->body.n;
        w->low |= (unsigned char)w->body.p[w->at] < ' ';
    }
    if (w->at >= w->body.n)
        return false;
    w->at++;
    *out = str_make(w->body.p + start, w->at - start);
    return true;
}

static bool value(struct walk *w, struct str *out)
{
    char c = peek(w);
    size_t start = w->at;
    bool done = false;
    if (c == '"')
        return text(w, out);
    if (c == '{' || c == '[') {
        struct skip s = {0};
        w->at += skip_run(&s, w->body.p + w->at, w->body.n - w->at, &done);
        w->low |= s.low;
    } else {
        for (; w->at < w->body.n && !char_in(w->body.p[w->at], ",]} \t\r\n"); w->at++)
            w->low |= (unsigned char)w->body.p[w->at] < ' ';
        done = w->at > start;
    }
    *out = str_make(w->body.p + start, w->at - start);
    return done;
}

static enum rc torn(const struct walk *w, struct err *err)
{
    return err_set(err, RC_TRANSIENT,
                   "the answer to Scan is not whole JSON: trouble at byte %zu of %zu", w->at,
                   w->body.n);
}

static enum rc items(struct walk *w, struct page *page, struct scan_rest *rest, struct err *err)
{
    if (!eat(w, '['))
        return torn(w, err);
    rest->has_items = true;
    if (eat(w, ']'))
        return RC_OK;
    do {
        struct str item;
        if (!value(w, &item))
            return torn(w, err);
        if (page_add_extent(page, (size_t)(item.p - w->body.p), item.n, NULL) != RC_OK)
            return err_nomem(err);
        rest->items++;
    } while (eat(w, ','));
    return eat(w, ']') ? RC_OK : torn(w, err);
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
    if (v.p[0] == '{' && str_is(name, "\"LastEvaluatedKey\""))
        rest->last_key = v;
    if (v.p[0] == '{' && str_is(name, "\"ConsumedCapacity\""))
        rest->consumed = v;
    return true;
}

static enum rc member(struct walk *w, struct page *page, struct scan_rest *rest,
                      struct err *err)
{
    struct str name, v;
    blanks(w);
    if (!text(w, &name) || !eat(w, ':'))
        return torn(w, err);
    if (str_is(name, "\"Items\"") && peek(w) == '[')
        return items(w, page, rest, err);
    return value(w, &v) && note(rest, name, v) ? RC_OK : torn(w, err);
}

enum rc scan_cut(struct str body, struct page *page, struct scan_rest *rest, struct err *err)
{
    struct walk w = {body, 0, false};
    *rest = (struct scan_rest){0};
    page->format = PAGE_EXTENTS;
    if (!eat(&w, '{'))
        return torn(&w, err);
    if (!eat(&w, '}')) {
        do {
            enum rc rc = member(&w, page, rest, err);
            if (rc)
                return rc;
        } while (eat(&w, ','));
        if (!eat(&w, '}'))
            return torn(&w, err);
    }
    blanks(&w);
    rest->low = w.low;
    return w.at == body.n ? RC_OK : torn(&w, err);
}
