/* SPDX-License-Identifier: MIT */
/* A case knows its store by the verbs alone; a store opened again stands for another process. */
#include "tests/harness/store_cases.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct place {
    const struct store_subject *subject;
    void *at;
    struct store *s;
    struct err err;
};

static const char RUN[] = "run-0000000000000001";

static void ok(struct place *p, enum rc rc)
{
    if (rc)
        fail_msg("%s: %s", p->subject->name, p->err.msg);
}

/* What was open is left as a process leaves it that ends. */
static struct store *again(struct place *p)
{
    store_close(p->s);
    p->s = NULL;
    ok(p, p->subject->open(p->at, &p->s, &p->err));
    (void)snprintf(p->s->run, sizeof p->s->run, "%s", RUN);
    return p->s;
}

/* Before each case: an empty place with a run in it. */
static int start(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->subject = *state;
    *state = p;
    p->at = p->subject->make();
    struct store *s = again(p);
    bool made = false;
    ok(p, s->ops->create(s, store_key(STORE_RUN, "run.json"), STR("{}"), &made, &p->err));
    assert_true(made);
    const struct store_key keys[] = {
        {STORE_NEW, "a"}, {STORE_NEW, "b"}, {STORE_RUN, "candidates/0"}};
    ok(p, s->ops->expect(s, keys, 3, &p->err));
    return 0;
}

static int end(void **state)
{
    struct place *p = *state;
    store_close(p->s);
    p->subject->unmake(p->at);
    free(p);
    return 0;
}

static void put(struct place *p, enum store_room room, const char *name, const char *text)
{
    struct store_object *o = NULL;
    ok(p, p->s->ops->begin(p->s, store_key(room, name), false, &o, &p->err));
    ok(p, o->ops->write(o, str_of(text), &p->err));
    ok(p, o->ops->finish(o, &p->err));
    store_object_close(o);
}

/* "none" if there is none. */
static void holds(struct place *p, enum store_room room, const char *name, const char *want)
{
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = store_read(p->s, store_key(room, name), &text, &p->err);
    if (rc != RC_NONE)
        ok(p, rc);
    assert_string_equal(rc ? "none" : buf_cstr(&text), want);
    buf_release(&text);
}

static void lists(struct place *p, enum store_room room, const char *name, const char *want)
{
    struct fs_list list = {0};
    char have[512] = "";
    ok(p, p->s->ops->list(p->s, store_key(room, name), &list, &p->err));
    for (size_t i = 0; i < list.n; i++) {
        size_t n = strlen(have);
        (void)snprintf(have + n, sizeof have - n, "%s%s", n ? " " : "", list.names[i]);
    }
    fs_list_release(&list);
    assert_string_equal(have, want);
}

static void remove_one(struct place *p, enum store_room room, const char *name)
{
    ok(p, p->s->ops->remove(p->s, store_key(room, name), &p->err));
}

static void test_object_is_whole_when_finished_once_or_twice(void **state)
{
    struct place *p = *state;
    struct store_object *o = NULL;
    struct store_key key = {STORE_NEW, "a/part-000001.jsonl.zst"};
    ok(p, p->s->ops->begin(p->s, key, true, &o, &p->err));
    ok(p, o->ops->write(o, STR("one "), &p->err));
    ok(p, o->ops->write(o, STR("two"), &p->err));
    ok(p, o->ops->finish(o, &p->err));
    ok(p, o->ops->finish(o, &p->err));
    store_object_close(o);
    holds(p, key.room, key.name, "one two");
    (void)again(p);
    holds(p, key.room, key.name, "one two");
}

static void test_unfinished_object_counts_only_as_far_as_it_was_kept(void **state)
{
    struct place *p = *state;
    struct store_object *o = NULL;
    struct store_key key = {STORE_NEW, "a/part-000001.jsonl.zst"};
    ok(p, p->s->ops->begin(p->s, key, false, &o, &p->err));
    ok(p, o->ops->write(o, STR("sure"), &p->err));
    if (p->s->keeps_synced)
        ok(p, o->ops->sync(o, &p->err));
    store_object_close(o);
    (void)again(p);
    holds(p, key.room, key.name, p->s->keeps_synced ? "sure" : "none");
    remove_one(p, key.room, key.name);
    holds(p, key.room, key.name, "none");
    put(p, key.room, key.name, "new");
    holds(p, key.room, key.name, "new");
}

static void test_finished_object_stays_when_another_takes_its_name(void **state)
{
    struct place *p = *state;
    struct store_object *o = NULL;
    put(p, STORE_RUN, "candidates/0/part-000001.jsonl.zst", "first");
    enum rc rc = p->s->ops->begin(
        p->s, store_key(STORE_RUN, "candidates/0/part-000001.jsonl.zst"), false, &o, &p->err);
    if (!rc)
        rc = o->ops->write(o, STR("second"), &p->err);
    if (!rc)
        rc = o->ops->finish(o, &p->err);
    store_object_close(o);
    assert_int_not_equal(rc, RC_OK);
    holds(p, STORE_RUN, "candidates/0/part-000001.jsonl.zst", "first");
}

struct racer {
    struct place *p;
    pthread_t thread;
    char text[16];
    bool made;
    enum rc rc;
    struct err err;
};

static void *race(void *arg)
{
    struct racer *r = arg;
    r->rc = r->p->s->ops->create(r->p->s, store_key(STORE_RUN, "log-000009-0000"),
                                 str_of(r->text), &r->made, &r->err);
    return NULL;
}

static void test_object_is_another_when_it_was_replaced(void **state)
{
    struct place *p = *state;
    ok(p,
       p->s->ops->replace(p->s, store_key(STORE_RUN, "run.json"), STR("{\"a\":1}"), &p->err));
    holds(p, STORE_RUN, "run.json", "{\"a\":1}");
    (void)again(p);
    holds(p, STORE_RUN, "run.json", "{\"a\":1}");
}

static void test_one_creates_an_object_when_many_try(void **state)
{
    enum { RACERS = 8 };
    struct place *p = *state;
    struct racer racers[RACERS] = {0};
    const char *winner = NULL;
    for (int i = 0; i < RACERS; i++) {
        racers[i].p = p;
        (void)snprintf(racers[i].text, sizeof racers[i].text, "%d", i);
        assert_int_equal(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
    }
    for (int i = 0; i < RACERS; i++) {
        pthread_join(racers[i].thread, NULL);
        assert_int_equal(racers[i].rc, RC_OK);
        assert_false(winner && racers[i].made);
        winner = racers[i].made ? racers[i].text : winner;
    }
    assert_non_null(winner);
    holds(p, STORE_RUN, "log-000009-0000", winner);
    bool made = true;
    (void)again(p);
    ok(p, p->s->ops->create(p->s, store_key(STORE_RUN, "log-000009-0000"), STR("late"), &made,
                            &p->err));
    assert_false(made);
    holds(p, STORE_RUN, "log-000009-0000", winner);
}

static void test_names_come_in_the_order_of_their_bytes(void **state)
{
    struct place *p = *state;
    put(p, STORE_NEW, "a/part-000010.jsonl.zst", "");
    put(p, STORE_NEW, "a/part-000009.jsonl.zst", "");
    put(p, STORE_NEW, "a/Z", "");
    put(p, STORE_NEW, "a/%C3", "");
    put(p, STORE_NEW, "b/x", "");
    lists(p, STORE_NEW, "a", "%C3 Z part-000009.jsonl.zst part-000010.jsonl.zst");
    lists(p, STORE_NEW, "nothing", "");
    lists(p, STORE_RUNS, "", RUN);
}

static void test_removing_takes_all_below_and_is_fine_when_there_is_none(void **state)
{
    struct place *p = *state;
    put(p, STORE_NEW, "a/x", "1");
    put(p, STORE_NEW, "a/y", "2");
    put(p, STORE_NEW, "b/part-000003.jsonl.zst", "3");
    remove_one(p, STORE_NEW, "a/x");
    remove_one(p, STORE_NEW, "a/x");
    lists(p, STORE_NEW, "a", "y");
    remove_one(p, STORE_NEW, "a");
    lists(p, STORE_NEW, "a", "");
    holds(p, STORE_NEW, "b/part-000003.jsonl.zst", "3");
    remove_one(p, STORE_RUNS, RUN);
    remove_one(p, STORE_RUNS, RUN);
    lists(p, STORE_RUNS, "", "");
    holds(p, STORE_RUN, "run.json", "none");
}

static enum rc gather(void *ctx, struct str record, struct err *err)
{
    buf_addf(ctx, "%.*s;", STR_FMT(record));
    return buf_check(ctx, err);
}

static void test_records_are_read_in_order_when_the_process_is_another(void **state)
{
    struct place *p = *state;
    struct store_log *log = NULL, *twin = NULL;
    struct buf have;
    buf_init(&have, BUF_NO_LIMIT);
    assert_int_equal(p->s->ops->log_read(p->s, "log-000001-0000", gather, &have, &p->err),
                     RC_NONE);
    ok(p, p->s->ops->log(p->s, "log-000001-0000", &log, &p->err));
    for (int i = 0; i < 12; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "%d", i);
        ok(p, log->ops->add(log, str_of(text), &p->err));
    }
    store_log_close(log);
    (void)again(p);
    struct fs_list names = {0};
    ok(p, p->s->ops->list(p->s, store_key(STORE_RUN, ""), &names, &p->err));
    assert_true(fs_list_has(&names, "log-000001-0000") && fs_list_has(&names, "run.json"));
    fs_list_release(&names);
    ok(p, p->s->ops->log_read(p->s, "log-000001-0000", gather, &have, &p->err));
    assert_string_equal(buf_cstr(&have), "0;1;2;3;4;5;6;7;8;9;10;11;");
    enum rc rc = p->s->ops->log(p->s, "log-000001-0000", &twin, &p->err);
    if (!rc)
        rc = twin->ops->add(twin, STR("twin"), &p->err);
    store_log_close(twin);
    assert_int_not_equal(rc, RC_OK);
    buf_release(&have);
}

static const char MANIFEST[] =
    "{\"renorm\":1,\"model_hash\":\"m\",\"tables\":[{\"folder\":\"%s\","
    "\"files\":[{\"name\":\"part-%06d.jsonl.zst\"}]}]}";

/* Plans to show one folder with one part. */
static void plan(struct place *p, const struct store_version *from, const char *folder, int n,
                 struct buf *out)
{
    char text[256];
    (void)snprintf(text, sizeof text, MANIFEST, folder, n);
    struct store_swap what = {*from, str_of(text), &folder, 1};
    buf_clear(out);
    ok(p, p->s->ops->swap_plan(p->s, &what, out, &p->err));
}

static bool swaps(struct place *p, const struct buf *plan)
{
    bool won = false;
    ok(p, p->s->ops->swap(p->s, buf_view(plan), &won, &p->err));
    return won;
}

static struct store_version version(struct place *p)
{
    struct store_version v;
    struct buf text;
    buf_init(&text, BUF_NO_LIMIT);
    enum rc rc = p->s->ops->manifest(p->s, &text, &v, &p->err);
    if (rc != RC_NONE)
        ok(p, rc);
    assert_int_equal(rc == RC_NONE, v.tag[0] == '\0');
    buf_release(&text);
    return v;
}

static void test_manifest_is_replaced_only_if_it_is_still_the_one_that_was_read(void **state)
{
    struct place *p = *state;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    struct store_version none = version(p);
    put(p, STORE_NEW, "a/part-000001.jsonl.zst", "first");
    plan(p, &none, "a", 1, &b);
    assert_true(swaps(p, &b));
    assert_true(swaps(p, &b));
    holds(p, STORE_SHOWN, "a/part-000001.jsonl.zst", "first");
    struct store_version first = version(p);
    put(p, STORE_NEW, "b/part-000002.jsonl.zst", "second");
    plan(p, &none, "b", 2, &b);
    assert_false(swaps(p, &b));
    assert_false(swaps(p, &b));
    assert_string_equal(version(p).tag, first.tag);
    holds(p, STORE_SHOWN, "a/part-000001.jsonl.zst", "first");
    plan(p, &first, "b", 2, &b);
    assert_true(swaps(p, &b));
    assert_string_not_equal(version(p).tag, first.tag);
    holds(p, STORE_SHOWN, "a/part-000001.jsonl.zst", "none");
    holds(p, STORE_SHOWN, "b/part-000002.jsonl.zst", "second");
    buf_release(&b);
}

static void test_planned_swap_is_made_by_the_next_process(void **state)
{
    struct place *p = *state;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    struct store_version none = version(p);
    put(p, STORE_NEW, "a/part-000001.jsonl.zst", "first");
    plan(p, &none, "a", 1, &b);
    struct store *s = again(p);
    ok(p, s->ops->check(s, buf_view(&b), &p->err));
    assert_true(swaps(p, &b));
    (void)again(p);
    assert_true(swaps(p, &b));
    remove_one(p, STORE_RUNS, RUN);
    holds(p, STORE_SHOWN, "a/part-000001.jsonl.zst", "first");
    buf_release(&b);
}

int store_cases(const struct store_subject *subject)
{
    struct CMUnitTest tests[] = {
        cmocka_unit_test(test_object_is_whole_when_finished_once_or_twice),
        cmocka_unit_test(test_unfinished_object_counts_only_as_far_as_it_was_kept),
        cmocka_unit_test(test_finished_object_stays_when_another_takes_its_name),
        cmocka_unit_test(test_object_is_another_when_it_was_replaced),
        cmocka_unit_test(test_one_creates_an_object_when_many_try),
        cmocka_unit_test(test_names_come_in_the_order_of_their_bytes),
        cmocka_unit_test(test_removing_takes_all_below_and_is_fine_when_there_is_none),
        cmocka_unit_test(test_records_are_read_in_order_when_the_process_is_another),
        cmocka_unit_test(test_manifest_is_replaced_only_if_it_is_still_the_one_that_was_read),
        cmocka_unit_test(test_planned_swap_is_made_by_the_next_process),
    };
    struct store_subject copy = *subject;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        tests[i] = (struct CMUnitTest){tests[i].name, tests[i].test_func, start, end, &copy};
    return cmocka_run_group_tests_name(copy.name, tests, NULL, NULL);
}
