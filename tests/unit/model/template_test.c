/* SPDX-License-Identifier: MIT */
/* Templates: parsing, the rules of key templates, matching, printing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/model/template.h"

static struct arena arena;

static int setup(void **state)
{
    (void)state;
    arena_init(&arena, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static struct template parsed(const char *text)
{
    struct template t;
    struct err err = {0};
    size_t at = 0;
    if (template_parse(str_of(text), &arena, &t, &at, &err))
        fail_msg("%s: %s (at %zu)", text, err.msg, at);
    return t;
}

static void test_parse_splits_into_pieces(void **state)
{
    (void)state;
    struct template t = parsed("ORDER#{order_id}#{n:bigint:3}#{a.b|lower|pad:5?}");
    assert_int_equal(t.n, 6);
    assert_int_equal(t.nparts, 3);
    assert_true(t.pieces[0].literal && str_is(t.pieces[0].text, "ORDER#"));
    assert_true(!t.pieces[1].literal && str_is(t.pieces[1].text, "order_id"));
    assert_int_equal(t.pieces[1].at, 6);
    assert_int_equal(t.pieces[3].type, COL_BIGINT);
    assert_int_equal(t.pieces[3].pad, 3);
    assert_true(str_is(t.pieces[5].text, "a.b"));
    assert_true(t.pieces[5].optional);
    assert_int_equal(t.pieces[5].nfuncs, 2);
    assert_int_equal(t.pieces[5].funcs[1].kind, TPL_PAD);
    assert_int_equal(t.pieces[5].funcs[1].arg, 5);
}

static void test_parse_quotes_braces(void **state)
{
    (void)state;
    struct template t = parsed("{{x}}{y}}}");
    assert_int_equal(t.n, 3);
    assert_true(str_is(t.pieces[0].text, "{x}"));
    assert_true(str_is(t.pieces[1].text, "y"));
    assert_true(str_is(t.pieces[2].text, "}"));
}

struct faulty {
    const char *text;
    size_t at;
    const char *says;
};

static void expect_fault(const struct faulty *c, bool key)
{
    struct template t;
    struct err err = {0};
    size_t at = 99;
    enum rc rc = template_parse(str_of(c->text), &arena, &t, &at, &err);
    if (!rc && key)
        rc = template_check_key(&t, &at, &err);
    if (rc != RC_USAGE)
        fail_msg("%s was taken", c->text);
    if (at != c->at || !strstr(err.msg, c->says))
        fail_msg("%s: at %zu: %s", c->text, at, err.msg);
}

static void test_parse_tells_what_is_wrong_and_where(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"a{", 2, "needs a name"},
        {"a{}", 2, "needs a name"},
        {"a{b", 1, "without its"},
        {"a}b", 1, "without a"},
        {"{a:int}", 3, "no type a part"},
        {"{a:jsonb}", 3, "no type a part"},
        {"{a:text:3}", 7, "only integer and bigint"},
        {"{a:bigint:0}", 10, "1 to 64"},
        {"{a:bigint:65}", 10, "1 to 64"},
        {"{a:bigint:x}", 10, "1 to 64"},
        {"{a|shout}", 3, "no function"},
        {"{a|}", 3, "no function"},
        {"{a|pad}", 3, "needs a width"},
        {"{a|lower:3}", 8, "take an argument"},
        {"{a|date:h}", 8, "s, ms or us"},
        {"{a?b}", 3, "was expected"},
        {"{a{b}", 2, "was expected"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        expect_fault(&CASES[i], false);
}

static void test_check_key_keeps_the_rules(void **state)
{
    (void)state;
    static const struct faulty CASES[] = {
        {"", 0, "empty"},
        {"A#{a}{b}", 5, "literal between"},
        {"{a|lower}", 0, "no functions"},
        {"{a.b}", 0, "holds no"},
        {"{^a}", 0, "holds no"},
        {"{a}#{b?}#{c}", 9, "must be optional too"},
        {"{a}#{b?}#END", 12, "nothing can follow"},
        {"{a}#{a}", 4, "same name"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        expect_fault(&CASES[i], true);
    char many[512] = "";
    size_t n = 0, last = 0;
    for (int i = 0; i <= TPL_PARTS; i++) {
        last = n;
        n += (size_t)snprintf(many + n, sizeof many - n, "{p%d}#", i);
    }
    expect_fault(&(struct faulty){many, last, "64 parts at most"}, true);
}

/* The parts joined by '|', '-' for an absent one; NULL: no match. */
static void expect_match(const char *template, const char *text, const char *want)
{
    struct template t = parsed(template);
    struct str parts[8];
    struct buf got;
    buf_init(&got, BUF_NO_LIMIT);
    bool matched = template_match(&t, str_of(text), parts);
    for (uint32_t i = 0; matched && i < t.nparts; i++) {
        buf_puts(&got, i ? "|" : "");
        buf_add_str(&got, parts[i].p ? parts[i] : STR("-"));
    }
    if (matched != (want != NULL) || (want && strcmp(buf_cstr(&got), want) != 0)) {
        fail_msg("%s on %s: %s, not %s", template, text, matched ? buf_cstr(&got) : "no match",
                 want ? want : "no match");
    }
    buf_release(&got);
}

static void test_match_takes_the_shortest_run(void **state)
{
    (void)state;
    expect_match("A", "A", "");
    expect_match("A", "AB", NULL);
    expect_match("A", "", NULL);
    expect_match("CUSTOMER#{id}", "CUSTOMER#42", "42");
    expect_match("CUSTOMER#{id}", "CUSTOMER#", NULL);
    expect_match("CUSTOMER#{id}", "CUSTOM", NULL);
    expect_match("{a}#{b}", "x#y#z", "x|y#z");
    expect_match("{a}#{b}", "#y", NULL);
    expect_match("{a}#{b}", "##y", "#|y");
    expect_match("{a}#{b}#END", "x#y#END", "x|y");
    expect_match("{a}#{b}#END", "x#y#END#END", NULL);
    expect_match("{a}-END", "x-y-END", "x-y");
    expect_match("{{{a}}}", "{x}", "x");
}

static void test_match_lets_a_tail_be_absent(void **state)
{
    (void)state;
    expect_match("{state}#{city?}#{zip?}", "TX#Austin#78701", "TX|Austin|78701");
    expect_match("{state}#{city?}#{zip?}", "TX#Austin", "TX|Austin|-");
    expect_match("{state}#{city?}#{zip?}", "TX", "TX|-|-");
    expect_match("{state}#{city?}#{zip?}", "TX#", NULL);
    expect_match("{state}#{city?}#{zip?}", "TX##", "TX|#|-");
    expect_match("{state}#{city?}#{zip?}", "TX#Austin#", NULL);
    expect_match("{state}#{city?}#{zip?}", "", NULL);
    expect_match("ORDERS#{year?}", "ORDERS", "-");
    expect_match("ORDERS#{year?}", "ORDERS#2024", "2024");
    expect_match("ORDERS#{year?}", "ORDERS#", NULL);
    expect_match("ORDERS{year?}", "ORDERS", "-");
    expect_match("#{year?}", "#", "-");
}

static void test_match_checks_types_by_printing_back(void **state)
{
    (void)state;
    static const struct {
        const char *type;
        const char *good[6], *bad[8];
    } CASES[] = {
        {"bigint",
         {"0", "7", "-7", "9223372036854775807", "-9223372036854775808"},
         {"007", "-0", "+7", "7.0", "x", "9223372036854775808", "-9223372036854775809"}},
        {"integer", {"2147483647", "-2147483648"}, {"2147483648", "-2147483649", "1e3"}},
        {"bigint:3", {"007", "123", "1234", "-07"}, {"7", "0007", "01234", "-7"}},
        {"numeric", {"34.5", "-1", "0"}, {"34.50", "1E2", "034", "-0", ""}},
        {"boolean", {"true", "false"}, {"TRUE", "1"}},
        {"date", {"2024-02-29", "0001-01-01"}, {"2023-02-29", "2024-2-9", "20240209"}},
        {"timestamptz",
         {"2024-02-29T01:02:03Z", "2024-02-29T01:02:03.5Z"},
         {"2024-02-29T01:02:03.50Z", "2024-02-29T01:02:03+00:00", "2024-02-29"}},
        {"uuid",
         {"01234567-89ab-cdef-0123-456789abcdef"},
         {"01234567-89AB-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef"}},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        char template[64], text[80];
        (void)snprintf(template, sizeof template, "K#{x:%s}", CASES[i].type);
        for (size_t k = 0; CASES[i].good[k]; k++) {
            (void)snprintf(text, sizeof text, "K#%s", CASES[i].good[k]);
            expect_match(template, text, CASES[i].good[k]);
        }
        for (size_t k = 0; CASES[i].bad[k]; k++) {
            (void)snprintf(text, sizeof text, "K#%s", CASES[i].bad[k]);
            expect_match(template, text, NULL);
        }
    }
}

/* ---- printing ---- */
struct values {
    const struct template *t;
    const struct member *members;
    size_t n;
};

static const struct val *value_of(void *ctx, uint32_t piece)
{
    const struct values *v = ctx;
    for (size_t i = 0; i < v->n; i++) {
        if (str_eq(v->members[i].name, v->t->pieces[piece].text))
            return &v->members[i].val;
    }
    return NULL;
}

#define STRC(text_)                                                                            \
    {                                                                                          \
        (text_), sizeof(text_) - 1                                                             \
    }
#define TEXT(kind_, text_)                                                                     \
    {                                                                                          \
        .kind = (kind_), .u.s = {(text_), sizeof(text_) - 1 }                                  \
    }

static const struct member MEMBERS[] = {
    {STRC("s"), TEXT(VAL_S, "Ab c")},
    {STRC("blank"), TEXT(VAL_S, " \t x y\n")},
    {STRC("n"), TEXT(VAL_N, "42")},
    {STRC("neg"), TEXT(VAL_N, "-7")},
    {STRC("frac"), TEXT(VAL_N, "1.5")},
    {STRC("bytes"), TEXT(VAL_B, "\x00\xff")},
    {STRC("yes"), {.kind = VAL_BOOL, .u.boolean = true}},
    {STRC("null"), {.kind = VAL_NULL}},
    {STRC("list"), {.kind = VAL_L}},
    {STRC("at"), TEXT(VAL_S, "2024-03-01T00:30:00+02:00")},
    {STRC("day"), TEXT(VAL_S, "2024-03-01")},
    {STRC("epoch"), TEXT(VAL_N, "1709251199")},
    {STRC("before"), TEXT(VAL_N, "-1")},
    {STRC("millis"), TEXT(VAL_N, "1709251200000")},
    {STRC("empty"), TEXT(VAL_S, "")},
};

static enum rc print(const char *template, struct buf *out, struct fault *why)
{
    struct template t = parsed(template);
    struct values v = {&t, MEMBERS, sizeof MEMBERS / sizeof MEMBERS[0]};
    return template_print(&t, value_of, &v, out, why);
}

static void test_print_values_and_functions(void **state)
{
    (void)state;
    static const char *const CASES[][2] = {
        {"K#{s}#{n}", "K#Ab c#42"},
        {"{yes}", "true"},
        {"{s|lower}/{s|upper}", "ab c/AB C"},
        {"{n|pad:5}", "00042"},
        {"{neg|pad:5}", "-0007"},
        {"{n|pad:1}", "42"},
        {"{n:bigint:4}", "0042"},
        {"{frac:numeric}", "1.5"},
        {"{blank|trim}", "x y"},
        {"{blank|trim|upper}", "X Y"},
        {"{at|date}", "2024-02-29"},
        {"{day|date}", "2024-03-01"},
        {"{epoch|date:s}", "2024-02-29"},
        {"{before|date:s}", "1969-12-31"},
        {"{millis|date:ms}", "2024-03-01"},
        {"{n|sha256}", "73475cb40a568e8da8a045ced110137e159f890ac4da883b6b17dc651b3a8049"},
        {"{empty}x", "x"},
        {"{{{n}}}", "{42}"},
        {"{s}#{gone?}#{n?}", "Ab c"},
        {"{s}#{n?}#{null?}", "Ab c#42"},
        {"STATUS#{gone?}", "STATUS"},
        {"STATUS#{n?}", "STATUS#42"},
        {"fixed", "fixed"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct buf out;
        struct fault why = {0};
        buf_init(&out, BUF_NO_LIMIT);
        enum rc rc = print(CASES[i][0], &out, &why);
        if (rc || strcmp(buf_cstr(&out), CASES[i][1]) != 0)
            fail_msg("%s: %d %s %s", CASES[i][0], (int)rc, buf_cstr(&out), why.detail);
        buf_release(&out);
    }
}

static void test_print_bytes_only_alone(void **state)
{
    (void)state;
    struct buf out;
    struct fault why = {0};
    buf_init(&out, BUF_NO_LIMIT);
    assert_int_equal(print("{bytes}", &out, &why), RC_OK);
    assert_int_equal(out.len, 2);
    assert_memory_equal(out.p, "\x00\xff", 2);
    assert_int_equal(print("x{bytes}", &out, &why), RC_DATA);
    buf_release(&out);
}

static void test_print_fails_on_what_has_no_text(void **state)
{
    (void)state;
    static const struct {
        const char *template;
        enum rc rc;
        const char *says;
    } CASES[] = {
        {"{gone}", RC_NONE, ""},
        {"a{null}", RC_NONE, ""},
        {"{list}", RC_DATA, "type L"},
        {"{s|date}", RC_DATA, "no date"},
        {"{n|date}", RC_DATA, "no date"},
        {"{s|date:s}", RC_DATA, "no whole number"},
        {"{frac:bigint}", RC_DATA, "no bigint"},
        {"{s:uuid}", RC_DATA, "no uuid"},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct buf out;
        struct fault why = {0};
        buf_init(&out, BUF_NO_LIMIT);
        enum rc rc = print(CASES[i].template, &out, &why);
        if (rc != CASES[i].rc || !strstr(why.detail, CASES[i].says))
            fail_msg("%s: %d %s", CASES[i].template, (int)rc, why.detail);
        buf_release(&out);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_splits_into_pieces),
        cmocka_unit_test(test_parse_quotes_braces),
        cmocka_unit_test(test_parse_tells_what_is_wrong_and_where),
        cmocka_unit_test(test_check_key_keeps_the_rules),
        cmocka_unit_test(test_match_takes_the_shortest_run),
        cmocka_unit_test(test_match_lets_a_tail_be_absent),
        cmocka_unit_test(test_match_checks_types_by_printing_back),
        cmocka_unit_test(test_print_values_and_functions),
        cmocka_unit_test(test_print_bytes_only_alone),
        cmocka_unit_test(test_print_fails_on_what_has_no_text),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
