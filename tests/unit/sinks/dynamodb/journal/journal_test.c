/* SPDX-License-Identifier: MIT */
/* The journal of a backfill as it is written: groups, order, exactness, a disk that fails. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "pipeline/item/canon.h"
#include "pipeline/item/decoder.h"
#include "sinks/dynamodb/journal/entry.h"
#include "sinks/store/record_log.h"
#include "tests/harness/items.h"
#include "tests/harness/journals.h"

enum { RECORDS = 64 };

struct seen {
    char *records[RECORDS];
    size_t n;
};

static enum rc keep(void *ctx, struct str json, struct err *err)
{
    struct seen *s = ctx;
    (void)err;
    assert_true(s->n < RECORDS);
    s->records[s->n] = strndup(json.p, json.n);
    assert_non_null(s->records[s->n++]);
    return RC_OK;
}

static void read_back(struct journals *t, uint32_t worker, struct seen *s)
{
    *s = (struct seen){0};
    assert_int_equal(record_log_read(journals_log(t, 1, 1, worker), keep, s, &t->err), RC_OK);
}

static void forget(struct seen *s)
{
    for (size_t i = 0; i < s->n; i++)
        free(s->records[i]);
}

static void test_entries_become_one_record_when_the_disk_is_busy(void **state)
{
    struct journals *t = *state;
    struct seen s;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    assert_false(journal_busy(j));
    assert_int_equal(journals_intent(j, 0, "a", NULL, "x"), 1);
    assert_int_equal(journal_durable(j), 0);
    assert_int_equal(journal_step(j, &t->err), RC_OK);
    assert_true(journal_busy(j));
    for (uint64_t i = 0; i < 100; i++)
        assert_int_equal(journals_intent(j, 0, "b", "x", "y"), i + 2);
    assert_int_equal(journal_flush(j, &t->err), RC_OK);
    assert_int_equal(journal_durable(j), 101);
    assert_false(journal_busy(j));
    assert_int_equal(journal_flush(j, &t->err), RC_OK);
    journal_close(j);
    read_back(t, 0, &s);
    assert_int_equal(s.n, 2);
    assert_string_equal(
        s.records[0],
        "[{\"intent\":1,\"segment\":0,\"bytes\":120,\"key\":{\"PK\":{\"S\":\"a\"}},"
        "\"old\":{},\"new\":{\"A\":{\"S\":\"x\"}}}]");
    forget(&s);
}

static void test_descriptor_tells_when_a_group_is_durable(void **state)
{
    struct journals *t = *state;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    for (uint64_t i = 1; i <= 50; i++) {
        uint64_t id = journals_intent(j, 0, "a", NULL, "x");
        assert_int_equal(id, i);
        assert_int_equal(journal_step(j, &t->err), RC_OK);
        while (journal_durable(j) < id) {
            struct pollfd fd = {.fd = journal_fd(j), .events = POLLIN};
            assert_int_equal(poll(&fd, 1, 600000), 1);
            assert_int_equal(journal_step(j, &t->err), RC_OK);
        }
        struct pollfd fd = {.fd = journal_fd(j), .events = POLLIN};
        assert_int_equal(poll(&fd, 1, 0), 0);
    }
    journal_close(j);
}

static void test_entries_are_given_up_when_closed_without_a_flush(void **state)
{
    struct journals *t = *state;
    struct seen s;
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    (void)journals_intent(j, 0, "a", NULL, "x");
    assert_int_equal(journal_step(j, &t->err), RC_OK);
    (void)journals_intent(j, 0, "b", NULL, "x");
    journal_close(j);
    read_back(t, 0, &s);
    assert_int_equal(s.n, 1); /* what was under way is waited for */
    forget(&s);
}

static void test_logs_are_apart_when_the_workers_are(void **state)
{
    struct journals *t = *state;
    struct seen s;
    struct journal *again = NULL;
    journals_begin(t, PASS_FILL);
    struct journal *a = journals_open(t, 0), *b = journals_open(t, 1);
    (void)journals_intent(a, 0, "a", NULL, "x");
    assert_int_equal(journal_open(&t->state, 1, &again, &t->err), RC_TRANSIENT);
    assert_null(again);
    journals_close(a);
    journals_close(b);
    read_back(t, 0, &s);
    assert_int_equal(s.n, 1);
    forget(&s);
    read_back(t, 1, &s);
    assert_int_equal(s.n, 0);
}

/* ---- exactness ------------------------------------------------------------------------------ */

static const char *const VALUES[] = {
    "{\"S\":\"\"}",
    "{\"S\":\"quote \\\" back \\\\ line \\n nul \\u0000 \xC3\xA9 \xF0\x9F\x98\x80\"}",
    "{\"N\":\"12345678901234567890123456789012345678\"}",
    "{\"N\":\"-0.000000000000000000000000000000000000001\"}",
    "{\"B\":\"AP8QIA==\"}",
    "{\"BOOL\":false}",
    "{\"NULL\":true}",
    "{\"SS\":[\"b\",\"a\"]}",
    "{\"NS\":[\"3\",\"-1\"]}",
    "{\"BS\":[\"/w==\",\"AA==\"]}",
    "{\"L\":[{\"S\":\"]\"},{\"M\":{}},{\"L\":[]}]}",
    "{\"M\":{\"}\":{\"S\":\"{\"},\"Item\":{\"M\":{\"S\":{\"S\":\"x\"}}}}}",
};
enum { NVALUES = sizeof VALUES / sizeof VALUES[0] };

static const char *const NAMES[] = {"A",    "Item",         "with \"quotes\"",
                                    "item", "\xE2\x82\xAC", "renorm"};
enum { NNAMES = sizeof NAMES / sizeof NAMES[0] };

struct exact {
    struct decoder *d;
    struct arena a;
    struct val values[NVALUES];
    struct str names[NNAMES];
};

static void exact_init(struct exact *x)
{
    x->d = decoder_new();
    assert_non_null(x->d);
    arena_init(&x->a, 0);
    for (int i = 0; i < NVALUES; i++)
        x->values[i] = items_decode_value(x->d, str_of(VALUES[i]), &x->a);
    for (int i = 0; i < NNAMES; i++)
        x->names[i] = str_of(NAMES[i]);
}

static bool same(const struct val *a, const struct val *b)
{
    return a && b ? value_eq(a, b) : a == b;
}

/* Writes one intent and reads it back; targets that do not differ are not there. */
static void there_and_back(struct exact *x, struct str key, struct setting *targets, uint32_t n)
{
    struct err err;
    struct buf b;
    struct entry e;
    struct change in = {.targets = targets, .ntargets = n, .size_before = 7, .size_after = 3},
                  out;
    buf_init(&b, BUF_NO_LIMIT);
    buf_putc(&b, '[');
    entry_intent(&b, UINT64_MAX, UINT32_MAX, key, &in);
    buf_putc(&b, ']');
    assert_null(memchr(b.p, '\n', b.len));
    struct str rest = buf_view(&b);
    assert_int_equal(entry_next(&rest, &e, &err), RC_OK);
    assert_int_equal(e.kind, ENTRY_INTENT);
    assert_true(e.id == UINT64_MAX && e.segment == UINT32_MAX && e.bytes == 7);
    assert_true(str_eq(e.key, key));
    assert_int_equal(entry_change(&e, x->d, &x->a, &out, &err), RC_OK);
    uint32_t left = out.ntargets;
    for (uint32_t i = 0; i < n; i++) {
        if (same(targets[i].old, targets[i].new_))
            continue;
        uint32_t k = 0;
        while (k < out.ntargets &&
               !str_eq(out.targets[k].path.members[0], targets[i].path.members[0]))
            k++;
        assert_true(k < out.ntargets);
        assert_true(same(out.targets[k].old, targets[i].old));
        assert_true(same(out.targets[k].new_, targets[i].new_));
        left--;
    }
    assert_int_equal(left, 0);
    assert_int_equal(entry_next(&rest, &e, &err), RC_END);
    buf_release(&b);
}

static void test_values_come_back_whatever_they_are(void **state)
{
    (void)state;
    static const struct str KEY = {"{\"PK\":{\"S\":\"a\\/\\u0041 }\"},\"SK\":{\"N\":\"1.0\"}}",
                                   43};
    struct exact x;
    exact_init(&x);
    for (int i = 0; i < NVALUES; i++) {
        for (int k = 0; k < NVALUES; k++) {
            struct setting t[] = {
                {{&x.names[i % NNAMES], 1}, &x.values[i], &x.values[k]},
                {{&x.names[(i + 1) % NNAMES], 1}, NULL, &x.values[k]},
                {{&x.names[(i + 2) % NNAMES], 1}, &x.values[k], NULL},
                {{&x.names[(i + 3) % NNAMES], 1}, &x.values[i], &x.values[i]},
                {{&x.names[(i + 4) % NNAMES], 1}, NULL, NULL},
            };
            for (uint32_t n = 0; n <= 5; n++)
                there_and_back(&x, KEY, t, n);
            for (uint32_t n = 0; n < 5; n++)
                there_and_back(&x, STR("{ \"PK\" : {\"S\":\"{\\\"\"} }"), t + n, 1);
        }
    }
    decoder_free(x.d);
    arena_release(&x.a);
}

static void test_key_is_one_line_when_it_came_in_several(void **state)
{
    (void)state;
    struct err err;
    struct buf b;
    struct entry e;
    struct change c = {0};
    buf_init(&b, BUF_NO_LIMIT);
    buf_putc(&b, '[');
    entry_intent(&b, 1, 2, STR("{\r\n\"PK\":{\"S\":\"\\n\"}}"), &c);
    buf_putc(&b, ']');
    struct str rest = buf_view(&b);
    assert_int_equal(entry_next(&rest, &e, &err), RC_OK);
    assert_true(str_is(e.key, "{  \"PK\":{\"S\":\"\\n\"}}"));
    buf_release(&b);
}

static void test_entry_is_refused_when_nobody_wrote_it(void **state)
{
    static const char *const BAD[] = {
        "",
        "{}",
        "[",
        "[{}",
        "[{}]",
        "[{\"intent\":1}]",
        "[{\"intent\":1,\"segment\":4294967296,\"bytes\":1,\"key\":{},\"old\":{},\"new\":{}}]",
        "[{\"intent\":18446744073709551616,\"segment\":1}]",
        "[{\"intent\":1,\"segment\":1,\"bytes\":1,\"key\":{},\"old\":{},\"new\":{},\"x\":1}]",
        "[{\"intent\":1,\"segment\":1,\"bytes\":1,\"key\":1,\"old\":{},\"new\":{}}]",
        "[{\"outcome\":1}]",
        "[{\"outcome\":1,\"fate\":\"maybe\"}]",
        "[{\"outcome\":1,\"of\":[1],\"fate\":\"void\"}]",
        "[{\"mark\":-1}]",
        "[{\"outcome\":1,\"fate\":\"void\"}{\"outcome\":1,\"fate\":\"void\"}]",
        "[{\"outcome\":1,\"fate\":\"void\"}",
        "[{\"outcome\":1,\"fate\":\"void\"}]]",
    };
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct err err = {0};
        struct entry e;
        struct str rest = str_of(BAD[i]);
        enum rc rc = RC_OK;
        while (!rc)
            rc = entry_next(&rest, &e, &err);
        if (rc != RC_SINK)
            fail_msg("'%s' was read as %d", BAD[i], (int)rc);
    }
}

/* ---- a disk that fails ---------------------------------------------------------------------- */

static void limit_files(rlim_t bytes, struct rlimit *old)
{
    assert_int_equal(getrlimit(RLIMIT_FSIZE, old), 0);
    struct rlimit now = {bytes, old->rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
}

static void test_nothing_is_durable_any_more_when_the_disk_fails(void **state)
{
    struct journals *t = *state;
    struct seen s;
    struct rlimit old;
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    journals_begin(t, PASS_FILL);
    struct journal *j = journals_open(t, 0);
    (void)journals_intent(j, 0, "a", NULL, "x");
    assert_int_equal(journal_flush(j, &t->err), RC_OK);
    limit_files(150, &old); /* in the middle of the next record */
    (void)journals_intent(j, 0, "b", NULL, "x");
    enum rc rc = journal_flush(j, &t->err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(rc, RC_TRANSIENT);
    assert_non_null(strstr(t->err.msg, journals_log(t, 1, 1, 0)));
    assert_int_equal(journal_durable(j), 1);
    for (int i = 0; i < 3; i++) {
        (void)journals_intent(j, 0, "c", NULL, "x");
        struct err err = {0};
        assert_int_equal(i == 1 ? journal_flush(j, &err) : journal_step(j, &err), RC_TRANSIENT);
        assert_string_equal(err.msg, t->err.msg);
        assert_int_equal(journal_durable(j), 1);
    }
    journal_close(j);
    read_back(t, 0, &s);
    assert_int_equal(s.n, 1);
    forget(&s);
    assert_true(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(f) cmocka_unit_test_setup_teardown(f, journals_set_up, journals_tear_down)
        CASE(test_entries_become_one_record_when_the_disk_is_busy),
        CASE(test_descriptor_tells_when_a_group_is_durable),
        CASE(test_entries_are_given_up_when_closed_without_a_flush),
        CASE(test_logs_are_apart_when_the_workers_are),
        CASE(test_values_come_back_whatever_they_are),
        CASE(test_key_is_one_line_when_it_came_in_several),
        CASE(test_entry_is_refused_when_nobody_wrote_it),
        CASE(test_nothing_is_durable_any_more_when_the_disk_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
