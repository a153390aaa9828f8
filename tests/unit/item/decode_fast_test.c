/* SPDX-License-Identifier: MIT */
/*
 * The fast decoder against the careful one: whatever it takes, the other takes with the same
 * result. Items are made and damaged by a generator with fixed seeds. That the common
 * spelling is in fact taken, and what is left alone, is pinned by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/bytescan.h"
#include "pipeline/item/canon.h"
#include "pipeline/item/decode_fast.h"
#include "tests/harness/items.h"

struct world {
    struct items *t;
    struct decode_fast fast; /* kept from item to item, as a worker does */
    struct buf a, b;
};

static int set_up(void **state)
{
    void *items;
    struct world *w = calloc(1, sizeof *w);
    assert_non_null(w);
    items_set_up(&items);
    w->t = items;
    decode_fast_init(&w->fast);
    buf_init(&w->a, BUF_NO_LIMIT);
    buf_init(&w->b, BUF_NO_LIMIT);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    void *items = w->t;
    items_tear_down(&items);
    decode_fast_release(&w->fast);
    buf_release(&w->a);
    buf_release(&w->b);
    free(w);
    return 0;
}

/* Members in the order of the text, so that order is compared too. */
static void describe(struct buf *b, const struct item *item)
{
    buf_clear(b);
    for (uint32_t i = 0; i < item->n; i++) {
        buf_add_str(b, item->members[i].name);
        buf_putc(b, '=');
        canon_ddb(b, &item->members[i].val);
    }
}

/* True if the fast decoder took it; fails the test if the two disagree. ' stands for ". */
static bool compare(struct world *w, struct str text)
{
    struct item fast, careful;
    struct fault why;
    arena_clear(&w->t->arena);
    arena_clear(&w->t->texts);
    struct str raw = items_text(w->t, text);
    bool taken = decode_fast_item(&w->fast, raw, &w->t->arena, &fast);
    enum rc rc = item_decode_careful(w->t->decoder, raw, &w->t->arena, &careful, &why);
    if (taken && rc)
        fail_msg("taken: %.*s, but %s", STR_FMT(text), why.detail);
    if (taken) {
        describe(&w->a, &fast);
        describe(&w->b, &careful);
        if (!str_eq(buf_view(&w->a), buf_view(&w->b)))
            fail_msg("%.*s: %s, not %s", STR_FMT(text), buf_cstr(&w->a), buf_cstr(&w->b));
    }
    return taken;
}

static bool takes(struct world *w, const char *text)
{
    return compare(w, str_of(text));
}

static void test_common_spelling_is_taken(void **state)
{
    static const char *const common[] = {
        "{}",
        "{'PK':{'S':'CUSTOMER#1'},'SK':{'S':'A'},'n':{'N':'12.5'}}",
        "{'Item':{'PK':{'S':'CUSTOMER#1'},'SK':{'S':'A'}}}",
        "{'Item':{'PK':{'S':'x'}}}\r\n",
        "{'PK': {'S': 'x'}, 'n': {'N': '1'}, 'l': {'L': [{'S': 'a'}, {'N': '2'}]}}",
        "{ 'Item' :\n { 'PK' :\t{ 'S' : 'x' } } }",
        "{'a':{'BOOL':true},'b':{'BOOL':false},'c':{'NULL':true},'d':{'B':'AAEC'}}",
        "{'m':{'M':{'x':{'M':{}},'y':{'L':[]},'z':{'L':[{'L':[{'N':'1'}]}]}}}}",
        "{'ss':{'SS':['b','a']},'ns':{'NS':['3','1','2']},'bs':{'BS':['Ag==','AQ==']}}",
        "{'a':{'N':'1e3'},'b':{'N':'45.10'},'c':{'N':'-0'},'d':{'N':'007'}}",
        "{'Z\xC3\xBCrich':{'S':'\xE4\xBD\xA0\xE5\xA5\xBD and a longer text behind it'}}",
    };
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        if (!takes(*state, common[i]))
            fail_msg("not taken: %s", common[i]);
    }
}

static void test_doubtful_texts_are_left_alone(void **state)
{
    static const char *const odd[] = {
        "",
        "{",
        "{'a'",
        "{'a':{'S':'x'}",
        "{'a':{'S':'x'}}}",
        "{'a':{'S':'x'}},",
        "{'a':{'S':'x'},}",
        "{,'a':{'S':'x'}}",
        "{'a':{'S':'x\\n'}}",
        "{'a\\u0062':{'S':'x'}}",
        "{'a':{'S':'x\n'}}",
        "{'a':{'S':'\xFF'}}",
        "{'\xC3':{'S':'x'}}",
        "{'':{'S':'x'}}",
        "{'a':{'S':'x'},'a':{'S':'y'}}",
        "{'a':{'M':{'a':{'S':'x'},'b':{'S':'x'},'a':{'S':'y'}}}}",
        "{'a':{'N':''}}",
        "{'a':{'N':'-'}}",
        "{'a':{'N':'1.x'}}",
        "{'a':{'N':1}}",
        "{'a':{'N':'1E126'}}",
        "{'a':{'N':'123456789012345678901234567890123456789'}}",
        "{'a':{'S':'x','N':'1'}}",
        "{'a':{'X':'x'}}",
        "{'a':{'S':['x']}}",
        "{'a':{'BOOL':'true'}}",
        "{'a':{'BOOL':truex}}",
        "{'a':{'NULL':false}}",
        "{'a':{'B':'A'}}",
        "{'a':{'SS':[]}}",
        "{'a':{'SS':['x','x']}}",
        "{'a':{'NS':['1','1.0']}}",
        "{'a':{'L':[{'S':'x'},]}}",
        "{'a':{'L':[,]}}",
        "{'a':{'L':{}}}",
        "{'a':{}}",
        "{'a':'x'}",
        "[]",
        "{'Item':{'S':'x'}}",
        "{'Item':{'M':{'S':'x'}}}",
        "{'Item':{}}",
        "{'Item':{'a':{'S':'x'}},'b':{'S':'y'}}",
        "{'Item':{'a':{'S':'x'}}",
    };
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        if (takes(*state, odd[i]))
            fail_msg("taken: %s", odd[i]);
    }
}

/* Every prefix, so that each place where a text may end is met. */
static void test_cut_texts_are_never_taken(void **state)
{
    struct world *w = *state;
    static const char text[] = "{\"Item\":{\"PK\":{\"S\":\"CUSTOMER#0001\"},\"n\":{\"N\":\"-12."
                               "5\"},\"m\":{\"M\":{\"l\":"
                               "{\"L\":[{\"BOOL\":true},{\"SS\":[\"a\",\"b\"]},{\"B\":\"AAEC\"}"
                               "]}}}, \"z\":{\"NULL\":true}}}";
    assert_true(compare(w, str_of(text)));
    for (size_t n = 0; n + 1 < sizeof text; n++)
        assert_false(compare(w, str_make(text, n)));
}

static void test_depth_limit_is_the_same(void **state)
{
    struct world *w = *state;
    for (int depth = 30; depth < 36; depth++) {
        buf_clear(&w->t->text);
        buf_puts(&w->t->text, "{\"a\":");
        for (int i = 0; i < depth; i++)
            buf_puts(&w->t->text, i % 2 ? "{\"M\":{\"a\":" : "{\"L\":[");
        buf_puts(&w->t->text, "{\"NULL\":true}");
        for (int i = depth - 1; i >= 0; i--)
            buf_puts(&w->t->text, i % 2 ? "}}" : "]}");
        buf_putc(&w->t->text, '}');
        assert_int_equal(compare(w, buf_view(&w->t->text)), depth <= 32);
    }
}

/* Numbers of up to four characters from a small alphabet: all of them. */
static void test_short_numbers_all_agree(void **state)
{
    struct world *w = *state;
    static const char alphabet[] = "0159.-+eE";
    enum { A = sizeof alphabet - 1, ALL = A * A * A * A };
    for (int i = 0; i < ALL; i++) {
        char number[5] = {alphabet[i % A], alphabet[i / A % A], alphabet[i / A / A % A],
                          alphabet[i / A / A / A], 0};
        for (size_t skip = 0; skip < 4; skip++) {
            buf_clear(&w->t->text);
            buf_addf(&w->t->text, "{\"n\":{\"N\":\"%s\"}}", number + skip);
            (void)compare(w, buf_view(&w->t->text));
            if (i % A || skip)
                break;
        }
    }
}

static void test_generated_items_agree(void **state)
{
    struct world *w = *state;
    int taken = 0;
    for (int i = 0; i < 20000; i++) {
        items_make(w->t);
        taken += compare(w, buf_view(&w->t->text));
    }
    /* the generator makes faults too, but most of it is common */
    assert_in_range(taken, 8000, 19999);
}

static void test_damaged_items_agree(void **state)
{
    struct world *w = *state;
    int taken = 0;
    w->t->random = 77;
    for (int i = 0; i < 60000; i++) {
        items_make(w->t);
        items_damage(w->t);
        taken += compare(w, buf_view(&w->t->text));
    }
    assert_in_range(taken, 1000, 40000);
}

static void test_many_members_and_repeated_names(void **state)
{
    struct world *w = *state;
    for (int n = 1; n < 300; n += 7) {
        buf_clear(&w->t->text);
        for (int i = 0; i < n; i++) {
            buf_addf(&w->t->text, "%c\"a_rather_long_name_%d_of_many\":{\"S\":\"\"}",
                     i ? ',' : '{', i);
        }
        buf_putc(&w->t->text, '}');
        assert_true(compare(w, buf_view(&w->t->text)));
        w->t->text.len--;
        buf_addf(&w->t->text, ",\"a_rather_long_name_%d_of_many\":{\"S\":\"\"}}", n / 2);
        assert_false(compare(w, buf_view(&w->t->text)));
    }
}

#define TAIL                                                                                   \
    "'tail':{'S':'long enough for the fast way to look at all that is before it, and more'}"

static void test_names_met_before_are_known_again(void **state)
{
    static const char *const taken[] = {
        "{'a':{'S':'1'},'b':{'S':'2'},'c':{'N':'3'}," TAIL "}",
        "{'a':{'S':'1'},'bb':{'S':'2'},'c':{'N':'3'}," TAIL
        "}", /* what was expected, and more */
        "{'a':{'N':'1'},'b':{'S':'2'},'c':{'S':'3'}," TAIL "}", /* of another type */
        "{'a':{'S':'1'},'c':{'N':'3'},'b':{'S':'2'}," TAIL "}",
        "{'a':{'M':{'a':{'S':'1'},'b':{'S':'2'}," TAIL "}},'b':{'S':'2'}," TAIL "}",
        "{'a':{'S':''},'b':{'S':'a text of many more bytes than the thirty-two of one "
        "look'}," TAIL "}",
    };
    static const char *const odd[] = {
        "{'a':{'S':'1'},'b':{'S':'2'},'a':{'S':'3'}," TAIL "}",
        "{'a':{'S':'1'},'b':{'S':'2'},'a':{'N':'3'}," TAIL "}",
        "{'a':{'S':'1'},'m':{'M':{'a':{'S':'2'}," TAIL "}},'a':{'S':'3'}," TAIL "}",
        "{'a':{'S':'1'},'b':{'N':'x'}," TAIL "}",
        "{'a':{'S':'1'},'b':{'S':'a text of many bytes with \\n far behind its "
        "beginning'}," TAIL "}",
    };
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
            assert_true(takes(*state, taken[i]));
        for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
            assert_false(takes(*state, odd[i]));
    }
}

static void test_more_names_than_are_remembered(void **state)
{
    struct world *w = *state;
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 3000; i++) {
            buf_clear(&w->t->text);
            buf_addf(&w->t->text, "{'n%u':{'S':'%u'},'m%u':{'N':'%u'}," TAIL "}", i, i, i % 7,
                     i);
            assert_true(compare(w, buf_view(&w->t->text)));
        }
    }
}

/* Both ways of scanning, at every length and every place of the byte that ends the run. */
static void test_scan_finds_the_first_byte_that_is_not_plain(void **state)
{
    (void)state;
    static const char stops[] = {'"', '\\', 0, 1, '\n', 0x1f};
    for (size_t n = 0; n < 70; n++) {
        for (size_t at = 0; at <= n; at++) {
            char *text = malloc(n ? n : 1);
            assert_non_null(text);
            for (size_t i = 0; i < n; i++)
                text[i] = (char)("a!#\x7f z[]"[i % 8]);
            if (at < n)
                text[at] = stops[(n + at) % sizeof stops];
            if (at + 1 < n)
                text[at + 1] = (char)0x80; /* behind the end: must not count */
            unsigned high = 0, high_words = 0;
            assert_ptr_equal(bytescan_plain(text, text + n, &high), text + at);
            assert_ptr_equal(bytescan_plain_words(text, text + n, &high_words), text + at);
            assert_int_equal(high | high_words, 0);
            assert_int_equal(bytescan_all_plain(text, n), at == n);
            if (at > 0) {
                text[at / 2] = (char)0xC3;
                assert_ptr_equal(bytescan_plain(text, text + n, &high), text + at);
                assert_ptr_equal(bytescan_plain_words(text, text + n, &high_words), text + at);
                assert_true(high && high_words);
            }
            free(text);
        }
    }
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_common_spelling_is_taken),
        CASE(test_doubtful_texts_are_left_alone),
        CASE(test_cut_texts_are_never_taken),
        CASE(test_depth_limit_is_the_same),
        CASE(test_short_numbers_all_agree),
        CASE(test_generated_items_agree),
        CASE(test_damaged_items_agree),
        CASE(test_many_members_and_repeated_names),
        CASE(test_names_met_before_are_known_again),
        CASE(test_more_names_than_are_remembered),
        CASE(test_scan_finds_the_first_byte_that_is_not_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
