/* SPDX-License-Identifier: MIT */
/* The folder lies in memory where possible: these tests sync a great deal. */
#include "tests/harness/journals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/harness/jsonl_fixture.h"

int journals_set_up(void **state)
{
    struct journals *t = calloc(1, sizeof *t);
    *state = t;
    if (!t)
        return -1;
    fix_tmp(t->dir);
    buf_init(&t->shown, BUF_NO_LIMIT);
    return 0;
}

int journals_tear_down(void **state)
{
    struct journals *t = *state;
    if (t->open)
        state_close(&t->state);
    fix_remove(t->dir);
    buf_release(&t->shown);
    free(t);
    return 0;
}

enum rc journals_try(struct journals *t, enum pass_kind kind, const char *model, bool restart)
{
    struct state_wish wish = {.dir = t->dir,
                              .kind = kind,
                              .table = STR("T"),
                              .model = str_of(model),
                              .segments = JOURNALS_SEGMENTS,
                              .now_us = 1700000000000000,
                              .restart = restart};
    if (t->open)
        state_close(&t->state);
    enum rc rc = state_open(&t->state, &wish, &t->err);
    t->open = !rc;
    return rc;
}

void journals_begin(struct journals *t, enum pass_kind kind)
{
    assert_int_equal(journals_try(t, kind, "m", false), RC_OK);
}

struct journal *journals_open(struct journals *t, uint32_t worker)
{
    struct journal *j = NULL;
    assert_int_equal(journal_open(&t->state, worker, &j, &t->err), RC_OK);
    return j;
}

void journals_flush(struct journal *j)
{
    struct err err;
    assert_int_equal(journal_flush(j, &err), RC_OK);
}

void journals_close(struct journal *j)
{
    journals_flush(j);
    journal_close(j);
}

static struct val *text_val(struct val *v, const char *text)
{
    *v = (struct val){.kind = VAL_S, .u.s = str_of(text)};
    return text ? v : NULL;
}

uint64_t journals_intent(struct journal *j, uint32_t segment, const char *key, const char *old,
                         const char *new_)
{
    char text[256];
    struct str name = STR("A");
    struct val before, after;
    struct setting t = {
        .path = {&name, 1}, .old = text_val(&before, old), .new_ = text_val(&after, new_)};
    struct change c = {.targets = &t, .ntargets = 1, .size_before = 100, .size_after = 120};
    (void)snprintf(text, sizeof text, "{\"PK\":{\"S\":\"%s\"}}", key);
    uint64_t id = journal_intent(j, segment, str_of(text), &c);
    assert_int_not_equal(id, 0);
    return id;
}

void journals_mark(struct journal *j, uint32_t segment, bool done, const char *resume,
                   uint64_t changed, const char *listed)
{
    uint64_t counts[JOURNALS_ROWS * FATES] = {[FATE_CHANGED] = changed};
    struct journal_mark m = {segment, done,          str_of(resume),
                             counts,  JOURNALS_ROWS, str_of(listed)};
    assert_int_not_equal(journal_mark(j, &m), 0);
}

static struct str shown_val(const struct val *v)
{
    return v ? v->u.s : STR("-");
}

static void show(struct buf *b, const struct intent *it)
{
    struct str head = STR("{\"PK\":{\"S\":\"");
    assert_true(str_starts(it->key, head) && str_ends(it->key, STR("\"}}")));
    struct str key = str_make(it->key.p + head.n, it->key.n - head.n - 3);
    assert_int_equal(it->change.ntargets, 1);
    assert_true(str_is(it->change.targets[0].path.members[0], "A"));
    assert_int_equal(it->change.size_before, 120);
    buf_addf(b, "%u.%u.%u.%llu ", it->pass, it->generation, it->worker,
             (unsigned long long)it->id);
    buf_add_str(b, key);
    buf_putc(b, ' ');
    buf_add_str(b, shown_val(it->change.targets[0].old));
    buf_puts(b, "->");
    buf_add_str(b, shown_val(it->change.targets[0].new_));
    buf_puts(b, it->open ? "?\n" : "\n");
}

enum rc journals_history(struct journals *t, const char *place, const char **out)
{
    struct history *h = NULL;
    struct intent it;
    buf_clear(&t->shown);
    *out = "";
    enum rc rc = history_open(&t->state, &h, &t->err);
    if (!rc && place)
        rc = history_seek(h, str_of(place), &t->err);
    while (!rc) {
        rc = history_next(h, &it, &t->err);
        if (!rc)
            show(&t->shown, &it);
    }
    history_close(h);
    *out = buf_cstr(&t->shown);
    return rc;
}

enum rc journals_resume_point(struct journals *t, const char **out)
{
    struct resume_point st;
    buf_clear(&t->shown);
    *out = "";
    enum rc rc =
        resume_point_read(&st, &t->state, state_pass(&t->state), JOURNALS_ROWS, &t->err);
    if (rc)
        return rc;
    for (uint32_t i = 0; i < state_pass(&t->state)->segments; i++) {
        const struct segment_state *s = &st.segments[i];
        if (s->done) {
            buf_addf(&t->shown, "%u done\n", i);
        } else if (s->resume.n) {
            buf_addf(&t->shown, "%u %.*s\n", i, STR_FMT(s->resume));
        }
    }
    assert_int_equal(st.counts[FATE_CHANGED], st.items);
    buf_addf(&t->shown, "items %llu\n", (unsigned long long)st.items);
    for (size_t i = 0; i < st.nintents; i++)
        show(&t->shown, &st.intents[i]);
    resume_point_release(&st);
    *out = buf_cstr(&t->shown);
    return RC_OK;
}

void journals_expect_history(struct journals *t, const char *want)
{
    const char *got;
    assert_int_equal(journals_history(t, NULL, &got), RC_END);
    assert_string_equal(got, want);
}

void journals_expect_resume_point(struct journals *t, const char *want)
{
    const char *got;
    assert_int_equal(journals_resume_point(t, &got), RC_OK);
    assert_string_equal(got, want);
}

const char *journals_log(struct journals *t, uint32_t pass, uint32_t generation,
                         uint32_t worker)
{
    state_log_path(&t->state, pass, generation, worker, t->path);
    return t->path;
}
