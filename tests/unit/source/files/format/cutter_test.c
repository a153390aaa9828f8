/* SPDX-License-Identifier: MIT */
/*
 * Documents cut into items whatever the pieces they come in, the bracket skipper against one
 * that looks at every byte, and Scan answers.
 */
#include "pipeline/source/files/format/cutter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "pipeline/base/buf.h"
#include "pipeline/source/table/scan_cut.h"

/* The items, each followed by '|'; then '!' where the cutter stopped, '~' if cut short. */
static void cut(enum format format, struct str text, size_t piece, struct buf *out)
{
    struct cutter c;
    cutter_init(&c, format);
    bool inside = false;
    size_t at = 0;
    while (at < text.n) {
        enum cut what;
        size_t n = text.n - at < piece ? text.n - at : piece;
        size_t took = cutter_feed(&c, text.p + at, n, &what);
        assert_true(took <= n);
        if (inside)
            buf_add(out, text.p + at, took);
        at += took;
        if (what == CUT_BAD) {
            buf_putc(out, '!');
            return;
        }
        if (what == CUT_MORE)
            assert_int_equal(took, n);
        if (what == CUT_BEGIN)
            inside = true;
        if (what == CUT_END) {
            inside = false;
            buf_putc(out, '|');
        }
    }
    if (!cutter_complete(&c))
        buf_putc(out, '~');
}

static void cuts_to(enum format format, const char *text, const char *want)
{
    for (size_t piece = 1; piece <= strlen(text) + 1; piece++) {
        struct buf out;
        buf_init(&out, BUF_NO_LIMIT);
        cut(format, str_of(text), piece, &out);
        if (strcmp(buf_cstr(&out), want) != 0)
            print_message("%s in pieces of %zu\n", text, piece);
        assert_string_equal(buf_cstr(&out), want);
        buf_release(&out);
    }
}

static void test_arrays(void **state)
{
    (void)state;
    cuts_to(FORMAT_ARRAY, "[]", "");
    cuts_to(FORMAT_ARRAY, " [ ] ", "");
    cuts_to(FORMAT_ARRAY, "[{}]", "{}|");
    cuts_to(FORMAT_ARRAY, "[{\"a\":[1]},\n {\"b\":\"]}\"}\n]\n", "{\"a\":[1]}|{\"b\":\"]}\"}|");
    cuts_to(FORMAT_ARRAY, "[1, \"a\\\"b\", null,[2]]", "1|\"a\\\"b\"|null|[2]|");
    cuts_to(FORMAT_ARRAY, "[{}][{}]", "{}|{}|");
    cuts_to(FORMAT_ARRAY, "[{\"a\":\"\\\\\"}]", "{\"a\":\"\\\\\"}|");
}

static void test_sequences(void **state)
{
    (void)state;
    cuts_to(FORMAT_SEQUENCE, "{\n\"a\":1}\n{\n}\n", "{\n\"a\":1}|{\n}|");
    cuts_to(FORMAT_SEQUENCE, "{} 1", "{}|!");
    cuts_to(FORMAT_SEQUENCE, "{} {", "{}|{~");
}

static void test_documents(void **state)
{
    (void)state;
    enum format d = FORMAT_DOCUMENT;
    cuts_to(d, "{\"Items\":[{\"a\":1},{\"b\":2}],\"Count\":2}", "{\"a\":1}|{\"b\":2}|");
    cuts_to(d, "{\"Count\":2,\"X\":{\"Items\":[{}]},\"Items\":[{}]}{\"Items\":[]}", "{}|");
    cuts_to(d, "{\"Items\":null,\"It\\u0065ms\":[{}]}", "");
    cuts_to(d, "[{\"Items\":[{}]},{\"Items\":[{}]}]", "{}|{}|");
    cuts_to(d, "{\"Responses\":{\"t\":[{}],\"u\":[{\"x\":{}}]},\"UnprocessedKeys\":{}}",
            "{}|{\"x\":{}}|");
    cuts_to(d, "{\"Responses\":[{\"Item\":{}}]}", "{\"Item\":{}}|");
    cuts_to(d,
            "{\"ModelName\":\"m\",\"DataModel\":[{\"TableName\":\"t\",\"KeyAttributes\":{},"
            "\"TableData\":[{\"a\":{}}]},{\"TableData\":[]},{}]}",
            "{\"a\":{}}|");
}

static void test_broken_documents_stop_the_cutter(void **state)
{
    (void)state;
    enum format d = FORMAT_DOCUMENT;
    cuts_to(d, "{\"Items\":{}}", "!");
    cuts_to(d, "{\"Items\":[{},]}", "{}|!");
    cuts_to(d, "{\"Items\":[{} {}]}", "{}|!");
    cuts_to(d, "{\"Items\" [", "!");
    cuts_to(d, "{\"Items\":[{}}", "{}|!");
    cuts_to(d, "{\"Items\":[{}]]", "{}|!");
    cuts_to(d, "{Items:[]}", "!");
    cuts_to(d, "{\"Items\":[{}]} x", "{}|!");
    /* a bracket of the wrong kind must not let a value swallow the items behind it */
    cuts_to(d, "{\"Meta\":{\"x\":[1,2},\"Items\":[{}]]}", "!");
    cuts_to(d, "{\"Responses\":{\"t\":1}}", "!");
    cuts_to(d, "{\"DataModel\":[[]]}", "!");
}

static void test_cut_short(void **state)
{
    (void)state;
    cuts_to(FORMAT_DOCUMENT, "{\"Items\":[{\"a\":1},{\"b", "{\"a\":1}|{\"b~");
    cuts_to(FORMAT_DOCUMENT, "{\"Items\":[{}", "{}|~");
    cuts_to(FORMAT_DOCUMENT, "{\"Items\":[{}]", "{}|~");
    cuts_to(FORMAT_DOCUMENT, "{\"Meta\":\"", "~");
    cuts_to(FORMAT_ARRAY, "[", "~");
    cuts_to(FORMAT_ARRAY, "[12", "12~");
}

static void test_values_nested_too_deep_stop_the_cutter(void **state)
{
    (void)state;
    struct buf text, out;
    buf_init(&text, BUF_NO_LIMIT);
    buf_init(&out, BUF_NO_LIMIT);
    buf_puts(&text, "{\"x\":");
    for (int i = 0; i < CUTTER_NESTING + 1; i++)
        buf_putc(&text, '[');
    cut(FORMAT_DOCUMENT, buf_view(&text), 1000, &out);
    assert_string_equal(buf_cstr(&out), "!");
    buf_release(&text);
    buf_release(&out);
}

/* Looks at every byte. As the real one, it lets a backslash quote outside strings too. */
static size_t naive_skip(const char *p, size_t n)
{
    size_t depth = 0;
    bool in_string = false, escaped = false;
    for (size_t i = 0; i < n; i++) {
        bool quote = p[i] == '"' && !escaped;
        escaped = p[i] == '\\' && !escaped;
        if (quote)
            in_string = !in_string;
        if (in_string || quote)
            continue;
        depth += p[i] == '{' || p[i] == '[';
        depth -= p[i] == '}' || p[i] == ']';
        if (depth == 0)
            return i + 1;
    }
    return 0;
}

static void test_skip_agrees_with_a_naive_one(void **state)
{
    (void)state;
    uint64_t x = 1;
    for (int round = 0; round < 20000; round++) {
        char text[400] = "{";
        size_t n = 2 + (size_t)round % (sizeof text - 2);
        for (size_t i = 1; i < n; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            text[i] = "\\\\\\\"\"{[]}abcdefgh "[(x >> 40) % (round % 3 ? 18 : 9)];
        }
        size_t want = naive_skip(text, n);
        size_t at = 0;
        bool done = false;
        struct skip s = {0};
        while (at < n && !done) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            size_t piece = 1 + (x >> 40) % 150;
            at += skip_run(&s, text + at, n - at < piece ? n - at : piece, &done);
        }
        assert_int_equal(done ? at : 0, want);
    }
}

static void test_scan_answer_in_any_order(void **state)
{
    (void)state;
    static const char BODY[] =
        "{\"ConsumedCapacity\":{\"CapacityUnits\":0.5,\"TableName\":\"t\"},\"Count\":2, "
        "\"Items\":[ {\"a\":{\"S\":\"}\\\"\"}}, {\"b\":{\"N\":\"1\"}} ],"
        "\"LastEvaluatedKey\":{\"a\":{\"S\":\"x\"}},\"ScannedCount\":7}";
    struct page p;
    struct scan_rest rest;
    struct err err = {0};
    page_init(&p, 1 << 20);
    assert_int_equal(scan_cut(str_of(BODY), &p, &rest, &err), RC_OK);
    buf_puts(&p.raw, BODY);
    size_t at = 0;
    struct str raw;
    const char *fault;
    assert_true(page_next(&p, &at, &raw, &fault));
    assert_true(str_is(raw, "{\"a\":{\"S\":\"}\\\"\"}}"));
    assert_true(page_next(&p, &at, &raw, &fault));
    assert_true(str_is(raw, "{\"b\":{\"N\":\"1\"}}"));
    assert_false(page_next(&p, &at, &raw, &fault));
    assert_int_equal(rest.count, 2);
    assert_int_equal(rest.scanned, 7);
    assert_int_equal(rest.items, 2);
    assert_true(str_is(rest.last_key, "{\"a\":{\"S\":\"x\"}}"));
    assert_true(str_is(rest.consumed, "{\"CapacityUnits\":0.5,\"TableName\":\"t\"}"));
    page_release(&p);
}

static void test_scan_answer_without_members(void **state)
{
    (void)state;
    struct page p;
    struct scan_rest rest;
    struct err err = {0};
    page_init(&p, 1 << 20);
    assert_int_equal(scan_cut(STR("{}"), &p, &rest, &err), RC_OK);
    assert_int_equal(rest.last_key.n, 0);
    assert_int_equal(
        scan_cut(STR(" {\"Items\":[],\"LastEvaluatedKey\":null} "), &p, &rest, &err), RC_OK);
    assert_true(str_is(rest.last_key, "null")); /* the scan refuses it: it is no end */
    assert_int_equal(p.nextents, 0);
    page_release(&p);
}

static void test_scan_answer_torn_anywhere_is_told(void **state)
{
    (void)state;
    static const char BODY[] = "{\"Count\":1,\"Items\":[{\"a\":{\"S\":\"x\"}},{}],"
                               "\"LastEvaluatedKey\":{\"a\":{\"S\":\"\\\\\"}}}";
    struct page p;
    struct scan_rest rest;
    page_init(&p, 1 << 20);
    for (size_t n = 0; n < sizeof BODY - 1; n++) {
        struct err err = {0};
        page_clear(&p);
        assert_int_equal(scan_cut(str_make(BODY, n), &p, &rest, &err), RC_TRANSIENT);
        assert_non_null(strstr(err.msg, "Scan"));
    }
    page_release(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_sequences),
        cmocka_unit_test(test_documents),
        cmocka_unit_test(test_broken_documents_stop_the_cutter),
        cmocka_unit_test(test_cut_short),
        cmocka_unit_test(test_values_nested_too_deep_stop_the_cutter),
        cmocka_unit_test(test_skip_agrees_with_a_naive_one),
        cmocka_unit_test(test_scan_answer_in_any_order),
        cmocka_unit_test(test_scan_answer_without_members),
        cmocka_unit_test(test_scan_answer_torn_anywhere_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
