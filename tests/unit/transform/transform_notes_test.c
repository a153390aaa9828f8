/* SPDX-License-Identifier: MIT */
/* What is counted of an item besides its fate, and limits that are the item's fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/transform/transform.h"
#include "tests/harness/models.h"

struct made {
    struct models of;
    struct transform *pass;
    struct page page;
    uint64_t counters[64];
};

static void make(struct made *m, const char *entity, bool keep_nulls)
{
    struct buf text;
    memset(m, 0, sizeof *m);
    buf_init(&text, 65536);
    buf_addf(&text,
             "{\"renorm\":1,\"name\":\"t\",\"source\":{\"key\":[\"PK\"],\"ttl\":\"TTL\"},"
             "\"entities\":{\"A\":%s}}",
             entity);
    models_make(&m->of, buf_view(&text));
    assert_true(schema_counters(&m->of.plan->schema) <= 64);
    m->pass = transform_new(m->of.plan,
                            &(struct transform_options){.now_us = INT64_C(1800000000000000),
                                                        .keep_nulls = keep_nulls});
    assert_non_null(m->pass);
    buf_release(&text);
}

static void done(struct made *m)
{
    transform_free(m->pass);
    models_release(&m->of);
}

/* Lines of items, as a page. */
static void take(struct made *m, struct str lines)
{
    struct batch batch;
    struct err err = {0};
    size_t at = 0;
    enum rc rc = RC_OK;
    page_init(&m->page, 1 << 24);
    buf_add_str(&m->page.raw, lines);
    while (!rc)
        rc = transform_page(m->pass, &m->page, &at, &batch, m->counters, &err);
    assert_int_equal(rc, RC_END);
    page_release(&m->page);
}

static uint64_t noted(const struct made *m, const char *name)
{
    const struct schema *s = &m->of.plan->schema;
    for (uint32_t i = 0; i < s->nnotes; i++) {
        if (str_is(s->notes[i], name))
            return m->counters[CNT_FIXED + s->ntables + i];
    }
    fail_msg("no note \"%s\"", name);
    return 0;
}

static const char MODEL[] =
    "{\"keys\":{\"PK\":\"A#{id}\"},\"table\":\"a\",\"primary_key\":[\"id\"],\"columns\":{"
    "\"id\":\"text\",\"f\":{\"type\":\"double precision\",\"lossy\":[\"float\"]},"
    "\"n\":\"text\",\"z\":\"bigint\"},\"stages\":[{\"filter\":{\"drop\":{\"Test\":true}}}]}";
static const char ITEMS[] =
    "{\"PK\":{\"S\":\"A#1\"},\"f\":{\"N\":\"0.1\"},\"n\":{\"NULL\":true}}\n"
    "{\"PK\":{\"S\":\"A#2\"},\"f\":{\"N\":\"0.1\"},\"n\":{\"NULL\":true},"
    "\"z\":{\"S\":\"x\"}}\n"
    "{\"PK\":{\"S\":\"A#3\"},\"f\":{\"N\":\"0.1\"},\"Test\":{\"BOOL\":true}}\n"
    "{\"PK\":{\"S\":\"A#4\"},\"TTL\":{\"N\":\"1799999999\"}}\n";

static void test_a_rejected_item_leaves_no_notes(void **state)
{
    (void)state;
    struct made m;
    make(&m, MODEL, false);
    take(&m, str_of(ITEMS));
    assert_int_equal(m.counters[CNT_ROUTED], 1);
    assert_int_equal(m.counters[CNT_REJECTED], 1);
    assert_int_equal(m.counters[CNT_FILTERED], 2);
    assert_int_equal(noted(&m, "lossy: a.f"), 1);
    assert_int_equal(noted(&m, "null folded: a.n"), 1);
    assert_int_equal(noted(&m, "filtered by A"), 1);
    assert_int_equal(noted(&m, "filtered by ttl"), 1);
    done(&m);
}

static void test_no_null_is_folded_when_the_sink_keeps_them(void **state)
{
    (void)state;
    struct made m;
    make(&m, MODEL, true);
    take(&m, str_of(ITEMS));
    assert_int_equal(noted(&m, "lossy: a.f"), 1);
    assert_int_equal(noted(&m, "null folded: a.n"), 0);
    done(&m);
}

static void test_an_item_is_rejected_when_what_it_derives_is_too_long(void **state)
{
    (void)state;
    struct made m;
    struct buf item;
    make(&m,
         "{\"keys\":{\"PK\":\"A#{id}\"},\"table\":\"a\",\"columns\":{\"id\":\"text\","
         "\"d\":\"text\"},\"stages\":[{\"derive\":{\"d\":\"{v}-{v}\"}}]}",
         true);
    buf_init(&item, BUF_NO_LIMIT);
    buf_puts(&item, "{\"PK\":{\"S\":\"A#1\"},\"v\":{\"S\":\"");
    for (int i = 0; i < 600 << 10; i++)
        buf_putc(&item, 'x');
    buf_puts(&item, "\"}}\n{\"PK\":{\"S\":\"A#2\"},\"v\":{\"S\":\"y\"}}\n");
    take(&m, buf_view(&item));
    assert_int_equal(m.counters[CNT_REJECTED], 1);
    assert_int_equal(m.counters[CNT_ROUTED], 1);
    buf_release(&item);
    done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rejected_item_leaves_no_notes),
        cmocka_unit_test(test_no_null_is_folded_when_the_sink_keeps_them),
        cmocka_unit_test(test_an_item_is_rejected_when_what_it_derives_is_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
