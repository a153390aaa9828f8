/* SPDX-License-Identifier: MIT */
/* One model at a time, so that a failure shows the text, what was told and what should be. */
#include "tests/harness/faulty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/model/model.h"
#include "pipeline/stage/stage.h"

/* The text with " for '. */
static struct buf quoted(const char *before, const char *text, const char *after)
{
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    buf_puts(&b, before);
    buf_puts(&b, text);
    buf_puts(&b, after);
    for (size_t i = 0; i < b.len; i++) {
        if (b.p[i] == '\'')
            b.p[i] = '"';
    }
    return b;
}

static void expect(const char *before, const struct faulty *c, const char *after)
{
    struct problems problems;
    struct err err = {0};
    struct model *m = NULL;
    struct buf text = quoted(before, c->text, after), want = quoted("", c->told, ""), got;
    problems_init(&problems);
    buf_init(&got, BUF_NO_LIMIT);
    enum rc rc = model_read(buf_view(&text), stage_table, &m, &problems, &err);
    problems_print(&problems, "m", &got);
    if (rc != RC_USAGE || strcmp(buf_cstr(&got), buf_cstr(&want)) != 0)
        fail_msg("%s\ngot:\n%swant:\n%s", buf_cstr(&text), buf_cstr(&got), buf_cstr(&want));
    model_free(m);
    problems_release(&problems);
    buf_release(&text);
    buf_release(&want);
    buf_release(&got);
}

void faulty_each(const char *before, const struct faulty *cases, size_t n, const char *after)
{
    for (size_t i = 0; i < n; i++)
        expect(before, &cases[i], after);
}
