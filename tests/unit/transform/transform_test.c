/* SPDX-License-Identifier: MIT */
/* Items through compiled models: the order of work, and what becomes of every kind of item. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/transform/transform.h"
#include "tests/harness/models.h"

static const int64_t NOW = 1800000000LL * 1000000;

struct made {
    struct models of;
    struct transform *pass;
    struct buf out;
};

static void make(struct made *m, const char *entities)
{
    struct buf text;
    buf_init(&text, 65536);
    buf_init(&m->out, 65536);
    buf_puts(&text, "{\"renorm\":1,\"name\":\"t\",\"source\":{\"key\":[\"PK\"],\"ttl\":\"TTL\","
                    "\"indexing\":[\"PK\",\"GSI*\"]},\"entities\":{");
    buf_puts(&text, entities);
    buf_puts(&text, "}}");
    models_make(&m->of, buf_view(&text));
    m->pass = transform_new(
        m->of.plan, &(struct transform_options){.now_us = NOW, .mask_key = STR("secret")});
    assert_non_null(m->pass);
    buf_release(&text);
}

static void done(struct made *m)
{
    transform_free(m->pass);
    models_release(&m->of);
    buf_release(&m->out);
}

/* "table {row}" lines, or the fate and its reason. */
static const char *become(struct made *m, const char *item)
{
    static const char *const FATES[] = {"routed", "filtered", "unrouted", "rejected"};
    struct transform_trace t;
    struct err err = {0};
    buf_clear(&m->out);
    assert_int_equal(transform_one(m->pass, str_of(item), &t, &err), RC_OK);
    if (t.fate != ITEM_ROUTED) {
        buf_addf(&m->out, "%s%s%s", FATES[t.fate], t.fate == ITEM_REJECTED ? " " : "",
                 t.fate == ITEM_REJECTED ? t.fault.reason : "");
    }
    for (size_t i = 0; i < t.nrows; i++) {
        const struct table *table = &m->of.plan->schema.tables[t.rows[i].table];
        buf_addf(&m->out, "%s%s%.*s ", i ? "\n" : "",
                 t.rows[i].extract != UINT32_MAX ? "~" : "", STR_FMT(table->name));
        schema_row_json(&m->out, table, t.rows[i].cells);
    }
    return buf_cstr(&m->out);
}

#define KEY "\"PK\":{\"S\":\"A#1\"}"
#define A   "\"A\":{\"keys\":{\"PK\":\"A#{id}\"},\"table\":\"a\",\"primary_key\":[\"id\"]"

static void test_columns_find_attributes_by_from_name_and_snake_case(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"columns\":{\"id\":\"text\",\"deep\":{\"type\":\"text\",\"from\":\"M.x\"},"
               "\"order_id\":\"text\","
               "\"Plain\":\"text\"}}");
    assert_string_equal(
        become(&m, "{" KEY ",\"M\":{\"M\":{\"x\":{\"S\":\"1\"},\"y\":{\"S\":\"2\"}}},"
                   "\"orderID\":{\"S\":\"3\"},\"Plain\":{\"S\":\"4\"}}"),
        "a "
        "{\"id\":\"1\",\"deep\":\"1\",\"order_id\":\"3\",\"Plain\":\"4\",\"extra\":{\"M\":{"
        "\"M\":{\"y\":{\"S\":\"2\"}}}}}");
    assert_string_equal(
        become(&m, "{" KEY ",\"orderID\":{\"S\":\"3\"},\"OrderId\":{\"S\":\"3\"}}"),
        "rejected ambiguous");
    done(&m);
}

static void test_missing_null_and_empty_are_three_things(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"columns\":{\"id\":\"text\",\"x\":\"text\"}}");
    assert_string_equal(become(&m, "{" KEY "}"), "a {\"id\":\"1\"}");
    assert_string_equal(become(&m, "{" KEY ",\"x\":{\"NULL\":true}}"),
                        "a {\"id\":\"1\",\"x\":null}");
    assert_string_equal(become(&m, "{" KEY ",\"x\":{\"S\":\"\"}}"),
                        "a {\"id\":\"1\",\"x\":\"\"}");
    done(&m);
    make(&m, A ",\"nulls\":\"keep\",\"columns\":{\"id\":\"text\",\"x\":\"text\"}}");
    assert_string_equal(become(&m, "{" KEY ",\"x\":{\"NULL\":true}}"),
                        "a {\"id\":\"1\",\"x\":null,\"extra\":{\"x\":{\"NULL\":true}}}");
    done(&m);
}

static void test_rest_is_kept_dropped_or_rejected(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A "}");
    assert_string_equal(
        become(&m,
               "{" KEY ",\"z\":{\"N\":\"1.50\"},\"GSI1PK\":{\"S\":\"g\"},\"b\":{\"S\":\"c\"}}"),
        "a {\"id\":\"1\",\"extra\":{\"b\":{\"S\":\"c\"},\"z\":{\"N\":\"1.5\"}}}");
    done(&m);
    make(&m, A ",\"rest\":\"drop\"}");
    assert_string_equal(become(&m, "{" KEY ",\"z\":{\"N\":\"1\"}}"), "a {\"id\":\"1\"}");
    done(&m);
    make(&m, A ",\"rest\":\"reject\"}");
    assert_string_equal(become(&m, "{" KEY ",\"z\":{\"N\":\"1\"}}"),
                        "rejected unknown-attribute");
    assert_string_equal(become(&m, "{" KEY "}"), "a {\"id\":\"1\"}");
    done(&m);
}

static void test_ttl_filters_what_is_past_but_not_long_past(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"rest\":\"drop\"}");
    assert_string_equal(become(&m, "{" KEY ",\"TTL\":{\"N\":\"1800000000\"}}"), "filtered");
    assert_string_equal(become(&m, "{" KEY ",\"TTL\":{\"N\":\"1800000001\"}}"),
                        "a {\"id\":\"1\"}");
    assert_string_equal(become(&m, "{" KEY ",\"TTL\":{\"N\":\"1642320001\"}}"), "filtered");
    assert_string_equal(become(&m, "{" KEY ",\"TTL\":{\"N\":\"1642320000\"}}"),
                        "a {\"id\":\"1\"}");
    assert_string_equal(become(&m, "{" KEY ",\"TTL\":{\"N\":\"1799999999.5\"}}"),
                        "a {\"id\":\"1\"}");
    assert_string_equal(become(&m, "{" KEY ",\"TTL\":{\"S\":\"1\"}}"), "a {\"id\":\"1\"}");
    done(&m);
}

static void test_routes_by_type_then_templates_first_match_wins(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, "\"W\":{\"when\":{\"kind\":\"w*\"},\"table\":\"w\",\"columns\":{\"pk\":{\"type\":"
             "\"text\",\"from\":\"PK\"}},\"rest\":\"drop\"}," A
             ",\"types\":[\"AA\"],\"rest\":\"drop\"},\"B\":{\"keys\":{\"PK\":\"{x}\"},"
             "\"table\":\"b\",\"rest\":\"drop\"}");
    assert_string_equal(become(&m, "{" KEY ",\"kind\":{\"S\":\"wax\"},\"Type\":{\"S\":\"A\"}}"),
                        "w {\"pk\":\"A#1\"}");
    assert_string_equal(become(&m, "{" KEY ",\"Type\":{\"S\":\"AA\"}}"), "a {\"id\":\"1\"}");
    assert_string_equal(become(&m, "{" KEY "}"), "a {\"id\":\"1\"}");
    assert_string_equal(become(&m, "{\"PK\":{\"S\":\"Z\"}}"), "b {\"x\":\"Z\"}");
    assert_string_equal(become(&m, "{\"PK\":{\"S\":\"Z\"},\"Type\":{\"S\":\"A\"}}"),
                        "rejected key-template");
    assert_string_equal(become(&m, "{\"PK\":{\"S\":\"Z\"},\"Type\":{\"S\":\"Q\"}}"),
                        "unrouted");
    assert_string_equal(become(&m, "{\"Type\":{\"S\":\"A\"}}"), "rejected missing-key");
    assert_string_equal(become(&m, "{\"PK\""), "rejected bad-json");
    done(&m);
}

static void test_parts_and_attributes_must_agree(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A "}");
    assert_string_equal(become(&m, "{" KEY ",\"Id\":{\"S\":\"1\"}}"), "a {\"id\":\"1\"}");
    assert_string_equal(become(&m, "{" KEY ",\"Id\":{\"S\":\"2\"}}"), "rejected key-mismatch");
    done(&m);
    make(&m, A ",\"prefer\":\"attribute\"}");
    assert_string_equal(become(&m, "{" KEY ",\"Id\":{\"S\":\"2\"}}"), "a {\"id\":\"2\"}");
    done(&m);
    make(&m, A ",\"prefer\":\"part\"}");
    assert_string_equal(become(&m, "{" KEY ",\"Id\":{\"S\":\"2\"}}"), "a {\"id\":\"1\"}");
    done(&m);
}

static void test_explode_takes_lists_sets_maps_and_scalars(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"rest\":\"drop\",\"stages\":[{\"explode\":{\"from\":\"T\",\"into\":\"t\"}},"
               "{\"explode\":{\"from\":\"L\",\"into\":\"l\",\"ordinal\":\"n\",\"columns\":{"
               "\"v\":\"bigint\"},"
               "\"stages\":[{\"explode\":{\"from\":\"K\",\"into\":\"k\",\"ordinal\":\"i\"}}]}},"
               "{\"explode\":{\"from\":\"P\",\"into\":\"p\",\"columns\":{\"key\":\"text\","
               "\"value\":\"numeric\"}}}]}");
    assert_string_equal(
        become(&m, "{" KEY ",\"T\":{\"SS\":[\"y\",\"x\"]}}"),
        "a {\"id\":\"1\"}\nt {\"id\":\"1\",\"value\":\"x\"}\nt {\"id\":\"1\",\"value\":\"y\"}");
    assert_string_equal(become(&m, "{" KEY ",\"T\":{\"S\":\"one\"}}"),
                        "a {\"id\":\"1\"}\nt {\"id\":\"1\",\"value\":\"one\"}");
    assert_string_equal(become(&m, "{" KEY ",\"L\":{\"L\":[{\"M\":{\"v\":{\"N\":\"7\"},\"K\":{"
                                   "\"L\":[{\"S\":\"a\"},{\"S\":\"b\"}]}}}]}}"),
                        "a {\"id\":\"1\"}\nl {\"id\":\"1\",\"n\":0,\"v\":7}\nk "
                        "{\"id\":\"1\",\"n\":0,\"i\":0,\"value\":\"a\"}\nk "
                        "{\"id\":\"1\",\"n\":0,\"i\":1,\"value\":\"b\"}");
    assert_string_equal(become(&m, "{" KEY ",\"P\":{\"M\":{\"x\":{\"N\":\"1.5\"}}}}"),
                        "a {\"id\":\"1\"}\np {\"id\":\"1\",\"key\":\"x\",\"value\":1.5}");
    assert_string_equal(become(&m, "{" KEY ",\"P\":{\"S\":\"x\"}}"), "rejected explode-kind");
    assert_string_equal(become(&m, "{" KEY ",\"L\":{\"L\":[{\"M\":{\"v\":{\"S\":\"x\"}}}]}}"),
                        "rejected cast");
    done(&m);
    make(&m, A ",\"stages\":[{\"explode\":{\"from\":\"T\",\"into\":\"t\"}}]}");
    assert_string_equal(become(&m, "{" KEY ",\"T\":{\"L\":[]}}"),
                        "a {\"id\":\"1\",\"extra\":{\"T\":{\"L\":[]}}}");
    assert_string_equal(become(&m, "{" KEY ",\"T\":{\"NULL\":true}}"),
                        "a {\"id\":\"1\",\"extra\":{\"T\":{\"NULL\":true}}}");
    done(&m);
}

static void test_element_reads_its_parent(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"rest\":\"drop\",\"columns\":{\"id\":\"text\"},\"stages\":[{\"explode\":{"
               "\"from\":\"L\",\"into\":\"l\",\"ordinal\":\"n\","
               "\"columns\":{\"c\":{\"type\":\"text\",\"from\":\"^City\"}}}}]}");
    assert_string_equal(
        become(&m, "{" KEY ",\"City\":{\"S\":\"Bern\"},\"L\":{\"L\":[{\"M\":{}}]}}"),
        "a {\"id\":\"1\"}\nl {\"id\":\"1\",\"n\":0,\"c\":\"Bern\"}");
    done(&m);
}

static void test_stages_run_in_the_order_of_the_model(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"columns\":{\"id\":\"text\",\"full\":\"text\",\"town\":\"text\",\"level\":"
               "\"bigint\"},\"stages\":["
               "{\"rename\":{\"City\":\"town\"}},{\"default\":{\"level\":3}},{\"derive\":{"
               "\"full\":\"{town|upper}-{level}\"}},"
               "{\"drop\":[\"secret\"]},{\"filter\":{\"drop\":{\"town\":\"Nowhere\"}}}]}");
    assert_string_equal(
        become(&m, "{" KEY ",\"City\":{\"S\":\"Bern\"},\"secret\":{\"S\":\"s\"}}"),
        "a {\"id\":\"1\",\"full\":\"BERN-3\",\"town\":\"Bern\",\"level\":3}");
    assert_string_equal(become(&m, "{" KEY ",\"City\":{\"S\":\"Nowhere\"}}"), "filtered");
    assert_string_equal(become(&m, "{" KEY ",\"full\":{\"S\":\"x\"}}"),
                        "a {\"id\":\"1\",\"level\":3,\"extra\":{\"full\":{\"S\":\"x\"}}}");
    done(&m);
}

static void test_mask_reaches_columns_parts_and_the_rest(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"columns\":{\"id\":\"text\",\"mail\":\"text\"},\"stages\":[{\"mask\":["
               "\"mail\"]},{\"mask\":{\"fields\":[\"pin\"],\"method\":\"blank\"}}]}");
    const char *got = become(&m, "{" KEY ",\"mail\":{\"S\":\"a@b\"},\"pin\":{\"S\":\"1234\"}}");
    assert_null(strstr(got, "a@b"));
    assert_null(strstr(got, "1234"));
    assert_non_null(strstr(got, "\"extra\":{\"pin\":{\"S\":\"\"}}"));
    /* HMAC-SHA256 of "a@b" under "secret" */
    char first[512];
    (void)snprintf(first, sizeof first, "%s", got);
    assert_string_equal(
        become(&m, "{" KEY ",\"mail\":{\"S\":\"a@b\"},\"pin\":{\"S\":\"1234\"}}"), first);
    done(&m);
}

static void test_flatten_reaches_its_depth_and_leaves_the_rest(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"columns\":{\"id\":\"text\",\"m_a\":\"text\",\"m_n_b\":\"text\"},\"stages\":["
               "{\"flatten\":{\"from\":\"M\",\"depth\":2}}]}");
    assert_string_equal(become(&m, "{" KEY ",\"M\":{\"M\":{\"a\":{\"S\":\"1\"},\"N\":{\"M\":{"
                                   "\"b\":{\"S\":\"2\"},\"c\":{\"S\":\"3\"}}}}}}"),
                        "a "
                        "{\"id\":\"1\",\"m_a\":\"1\",\"m_n_b\":\"2\",\"extra\":{\"M\":{\"M\":{"
                        "\"N\":{\"M\":{\"c\":{\"S\":\"3\"}}}}}}}");
    assert_string_equal(become(&m, "{" KEY ",\"M\":{\"S\":\"flat\"}}"),
                        "a {\"id\":\"1\",\"extra\":{\"M\":{\"S\":\"flat\"}}}");
    done(&m);
}

static void test_extract_emits_candidates_and_takes_the_attributes(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"columns\":{\"id\":\"text\",\"customer\":\"text\"},\"stages\":[{\"extract\":{"
               "\"into\":\"c\",\"key\":[\"customer\"],"
               "\"columns\":{\"customer\":\"text\",\"name\":{\"type\":\"text\",\"from\":"
               "\"CustomerName\"}}}}]}");
    assert_string_equal(
        become(&m, "{" KEY ",\"customer\":{\"S\":\"7\"},\"CustomerName\":{\"S\":\"Ann\"}}"),
        "~c {\"customer\":\"7\",\"name\":\"Ann\"}\na {\"id\":\"1\",\"customer\":\"7\"}");
    assert_string_equal(become(&m, "{" KEY "}"), "a {\"id\":\"1\"}");
    assert_int_equal(m.of.plan->schema.nextracts, 1);
    assert_int_equal(m.of.plan->schema.tables[m.of.plan->schema.extracts[0].conflict].kind,
                     TABLE_CONFLICT);
    done(&m);
}

static void test_names_beyond_the_bound_are_still_placed(void **state)
{
    (void)state;
    struct made m = {0};
    make(&m, A ",\"columns\":{\"id\":\"text\",\"last_one\":\"text\"}}");
    struct buf item;
    buf_init(&item, (size_t)1 << 20);
    for (int round = 0; round < 30; round++) {
        buf_clear(&item);
        buf_puts(&item, "{" KEY);
        for (int i = 0; i < 100; i++)
            buf_addf(&item, ",\"n%d_%d\":{\"S\":\"x\"}", round, i);
        buf_puts(&item, ",\"LastOne\":{\"S\":\"y\"}}");
        const char *got = become(&m, buf_cstr(&item));
        assert_non_null(strstr(got, "\"last_one\":\"y\""));
        assert_non_null(strstr(got, "_99\":{\"S\":\"x\"}"));
    }
    buf_release(&item);
    done(&m);
}

/* More than fits one part: every item once, in its order, faults and empty extents too. */
static void test_page_comes_in_parts(void **state)
{
    (void)state;
    enum { ITEMS = 5000 };
    struct made m = {0};
    struct page page;
    struct batch batch;
    struct err err;
    make(&m, A ",\"columns\":{\"id\":\"bigint\"}}");
    uint64_t counters[64] = {0};
    assert_true(schema_counters(&m.of.plan->schema) <= 64);
    page_init(&page, 1 << 24);
    page.scanned_out = 3;
    for (int i = 0; i < ITEMS; i++)
        buf_addf(&page.raw, "{\"PK\":{\"S\":\"A#%d\"}}\n", i);
    size_t at = 0, parts = 0;
    int64_t next = 0;
    enum rc rc;
    while (!(rc = transform_page(m.pass, &page, &at, &batch, counters, &err))) {
        parts++;
        for (size_t i = 0; i < batch.nrows; i++)
            assert_true(batch.rows[i].cells[0].u.i == next++);
    }
    assert_int_equal(rc, RC_END);
    assert_true(parts > 1);
    assert_int_equal(next, ITEMS);
    assert_int_equal(counters[CNT_READ], ITEMS + 3);
    assert_int_equal(counters[CNT_FILTERED], 3);
    assert_int_equal(counters[CNT_ROUTED], ITEMS);

    page_clear(&page);
    page.format = PAGE_EXTENTS;
    for (int i = 0; i < 3; i++)
        assert_int_equal(page_add_extent(&page, 0, 0, "line-too-long"), RC_OK);
    at = 0;
    assert_int_equal(transform_page(m.pass, &page, &at, &batch, counters, &err), RC_OK);
    assert_int_equal(batch.nrejects, 3);
    assert_int_equal(transform_page(m.pass, &page, &at, &batch, counters, &err), RC_END);
    page_release(&page);
    done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_find_attributes_by_from_name_and_snake_case),
        cmocka_unit_test(test_missing_null_and_empty_are_three_things),
        cmocka_unit_test(test_rest_is_kept_dropped_or_rejected),
        cmocka_unit_test(test_ttl_filters_what_is_past_but_not_long_past),
        cmocka_unit_test(test_routes_by_type_then_templates_first_match_wins),
        cmocka_unit_test(test_parts_and_attributes_must_agree),
        cmocka_unit_test(test_explode_takes_lists_sets_maps_and_scalars),
        cmocka_unit_test(test_element_reads_its_parent),
        cmocka_unit_test(test_stages_run_in_the_order_of_the_model),
        cmocka_unit_test(test_mask_reaches_columns_parts_and_the_rest),
        cmocka_unit_test(test_flatten_reaches_its_depth_and_leaves_the_rest),
        cmocka_unit_test(test_extract_emits_candidates_and_takes_the_attributes),
        cmocka_unit_test(test_page_comes_in_parts),
        cmocka_unit_test(test_names_beyond_the_bound_are_still_placed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
