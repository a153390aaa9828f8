/* SPDX-License-Identifier: MIT */
/* `TABLE FINDING KEY`, and the like. */
#include "tests/harness/report_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/compare/tally.h"

static void add(void *ctx, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void add(void *ctx, const char *fmt, ...)
{
    struct report_text *t = ctx;
    size_t at = strlen(t->text);
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(t->text + at, sizeof t->text - at, fmt, args);
    va_end(args);
}

static void on_table(void *ctx, const struct table *t, uint64_t rows, bool equal)
{
    add(ctx, "%.*s %u %s\n", STR_FMT(t->name), (unsigned)rows, equal ? "equal" : "DIFFERENT");
}

static void on_lacking(void *ctx, const struct table *t, const char *lacks)
{
    add(ctx, "%.*s lacks %s\n", STR_FMT(t->name), lacks);
}

static void on_key(void *ctx, const struct table *t, struct str key, enum compare_finding what)
{
    static const char *const WORDS[] = {[COMPARE_MISSING] = "missing",
                                        [COMPARE_EXTRA] = "extra",
                                        [COMPARE_DIFFERENT] = "different",
                                        [COMPARE_CHANGED] = "changed"};
    struct buf text;
    buf_init(&text, 1024);
    if (t->nkey) {
        tally_key_text(&text, key);
    } else {
        buf_add_str(&text, key);
    }
    add(ctx, "%.*s %s %s\n", STR_FMT(t->name), WORDS[what], buf_cstr(&text));
    buf_release(&text);
}

static void on_unnamed(void *ctx, const struct table *t, uint64_t keys)
{
    add(ctx, "%.*s %u more\n", STR_FMT(t->name), (unsigned)keys);
}

static void on_items(void *ctx, enum compare_items which, uint64_t source, uint64_t sink)
{
    add(ctx, "%s %u %u\n", which == COMPARE_REJECTED ? "rejected" : "unrouted",
        (unsigned)source, (unsigned)sink);
}

struct compare_report report_text(struct report_text *t, bool tables)
{
    t->text[0] = '\0';
    return (struct compare_report){.ctx = t,
                                   .table = tables ? on_table : NULL,
                                   .lacking = on_lacking,
                                   .key = on_key,
                                   .unnamed = on_unnamed,
                                   .items = on_items};
}
