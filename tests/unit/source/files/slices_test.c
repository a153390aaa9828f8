/* SPDX-License-Identifier: MIT */
/*
 * Whatever the sizes of slices and pages, whatever the packing and the format, and wherever a
 * run was stopped and resumed: the items are those that a naive reader finds.
 */
#include "pipeline/source/files/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/harness/drain.h"
#include "tests/harness/scratch.h"

static uint64_t seed_state;

static uint64_t roll(uint64_t below)
{
    seed_state = seed_state * 6364136223846793005u + 1442695040888963407u;
    return (seed_state >> 33) % below;
}

static void filler(struct buf *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_putc(b, "abc{}[]:,x"[roll(10)]);
}

/* One item; now and then with escapes, nested values, brackets inside strings. */
static void add_item(struct buf *b, unsigned number, bool pretty)
{
    const char *nl = pretty ? "\n   " : "";
    buf_addf(b, "{%s\"PK\":%s{\"S\":\"%u", nl, nl, number);
    filler(b, roll(40));
    buf_puts(b, roll(3) ? "\"}" : "\\\"}\\\\\"}");
    if (roll(2))
        buf_addf(b, ",%s\"L\":{\"L\":[{\"N\":\"%u\"},{\"M\":{}}]}", nl, number);
    buf_puts(b, "}");
}

struct text {
    struct buf bytes;
    struct bag items;
};

static void text_init(struct text *t)
{
    buf_init(&t->bytes, BUF_NO_LIMIT);
    bag_init(&t->items);
}

static void text_release(struct text *t)
{
    buf_release(&t->bytes);
    bag_release(&t->items);
}

/* Adds an item to the text and to what must be found. A line beyond the limit is a fault. */
static void text_item(struct text *t, unsigned number, bool pretty)
{
    size_t start = t->bytes.len;
    add_item(&t->bytes, number, pretty);
    bag_add(&t->items, str_make(t->bytes.p + start, t->bytes.len - start));
}

static void make_lines(struct text *t, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        text_item(t, i, false);
        if (i + 1 < n || roll(2))
            buf_puts(&t->bytes, roll(5) ? "\n" : roll(2) ? "\r\n" : " \n\n  \n");
    }
}

static void make_document(struct text *t, unsigned n)
{
    bool pretty = roll(2);
    const char *head[] = {
        "[", "{\"Count\": 3, \"Items\": [", "{\"Responses\":{\"a\":[],\"b\":[",
        "{\"ModelName\":\"x\",\"DataModel\":[{\"TableName\":\"[\",\"TableData\":["};
    const char *tail[] = {"]", "], \"ScannedCount\" : 3}\n", "]}}", "],\"x\":[{\"y\":[1]}]}]}"};
    size_t kind = roll(4);
    buf_puts(&t->bytes, head[kind]);
    for (unsigned i = 0; i < n; i++) {
        buf_puts(&t->bytes, i ? (pretty ? ",\n  " : ",") : "");
        text_item(t, i, pretty);
    }
    buf_puts(&t->bytes, tail[kind]);
}

static struct source *open_source(const struct files_options *opts)
{
    struct source *s = NULL;
    struct err err = {0};
    enum rc rc = files_open(opts, &s, &err);
    if (rc)
        print_message("%s\n", err.msg);
    assert_int_equal(rc, RC_OK);
    return s;
}

/* Stops after `pages` pages, opens the source again and reads the rest. */
static uint64_t read_with_stop(const struct files_options *opts, uint64_t pages,
                               struct bag *want)
{
    struct drain d;
    struct err err = {0};
    drain_init(&d);
    struct source *s = open_source(opts);
    char *identity = strndup(s->identity.p, s->identity.n);
    enum rc rc = drain_run(&d, s, pages, &err);
    s->ops->free(s);
    if (rc == RC_CANCEL) {
        s = open_source(opts);
        assert_true(str_is(s->identity, identity));
        rc = drain_run(&d, s, UINT64_MAX, &err);
        s->ops->free(s);
    }
    free(identity);
    if (rc)
        print_message("%s\n", err.msg);
    assert_int_equal(rc, RC_OK);
    assert_true(bag_same(&d.bag, want));
    uint64_t all = d.pages;
    drain_release(&d);
    return all;
}

static void check_everywhere(const char *path, size_t slice, size_t page, struct bag *want)
{
    const char *paths[] = {path};
    struct files_options opts = {
        .paths = paths, .npaths = 1, .slice_bytes = slice, .page_bytes = page};
    uint64_t pages = read_with_stop(&opts, UINT64_MAX, want);
    uint64_t step = pages > 40 ? pages / 20 : 1;
    for (uint64_t stop = 0; stop < pages; stop += step)
        (void)read_with_stop(&opts, stop, want);
}

static void check_packings(struct scratch *dir, struct text *t, size_t slice, size_t page)
{
    struct str all = buf_view(&t->bytes);
    check_everywhere(scratch_write(dir, "plain", all), slice, page, &t->items);
    check_everywhere(scratch_gzip(dir, "gzip", all), slice, page, &t->items);
    check_everywhere(scratch_zstd(dir, "zstd", all), slice, page, &t->items);
}

static void check_rounds(void (*make)(struct text *, unsigned), bool mark)
{
    struct scratch dir;
    scratch_init(&dir);
    for (unsigned round = 0; round < 30; round++) {
        struct text t;
        seed_state = round;
        text_init(&t);
        if (mark && roll(2))
            buf_puts(&t.bytes, "\xef\xbb\xbf");
        make(&t, (unsigned)roll(60) + 1);
        check_packings(&dir, &t, 16 + roll(round < 15 ? 100 : 5000), 1 + roll(700));
        text_release(&t);
    }
    scratch_release(&dir);
}

static void test_lines_are_found_once_for_any_slice_and_stop(void **state)
{
    (void)state;
    check_rounds(make_lines, true);
}

static void test_documents_are_found_once_for_any_slice_and_stop(void **state)
{
    (void)state;
    check_rounds(make_document, true);
}

static void test_many_streams_are_a_segment_each(void **state)
{
    (void)state;
    struct scratch dir;
    struct text t;
    scratch_init(&dir);
    text_init(&t);
    seed_state = 7;
    for (int i = 0; i < 70; i++) {
        char name[32];
        struct text one;
        text_init(&one);
        (i % 2 ? make_lines : make_document)(&one, 20);
        (void)snprintf(name, sizeof name, "in/%d.json", i);
        (void)(i % 3 ? scratch_gzip : scratch_zstd)(&dir, name, buf_view(&one.bytes));
        for (size_t k = 0; k < one.items.n; k++)
            bag_add(&t.items, str_of(one.items.items[k]));
        text_release(&one);
    }
    const char *paths[] = {scratch_path(&dir, "in")};
    struct files_options opts = {.paths = paths, .npaths = 1, .page_bytes = 500};
    struct source *s = open_source(&opts);
    assert_int_equal(s->segments, 70);
    s->ops->free(s);
    uint64_t pages = read_with_stop(&opts, UINT64_MAX, &t.items);
    assert_true(pages > 140);
    for (uint64_t stop = 0; stop < pages; stop += 37)
        (void)read_with_stop(&opts, stop, &t.items);
    text_release(&t);
    scratch_release(&dir);
}

/* Adds an item of `size` bytes; beyond 100 a fault is wanted, of which 64 KB are kept. */
static void sized_item(struct text *t, size_t size, bool array)
{
    struct buf item, fault;
    buf_init(&item, BUF_NO_LIMIT);
    buf_init(&fault, BUF_NO_LIMIT);
    buf_puts(&item, "{\"PK\":{\"S\":\"");
    while (item.len < size - 3)
        buf_putc(&item, 'x');
    buf_puts(&item, array ? "\"}}" : "\"}}\n"); /* a line has its end */
    buf_add_str(&t->bytes, buf_view(&item));
    size_t kept = item.len > 65536 ? 65536 : item.len;
    buf_addf(&fault, "!line-too-long %zu %.*s", item.len, (int)kept, buf_cstr(&item));
    bag_add(&t->items, size <= 100 ? str_make(item.p, size) : buf_view(&fault));
    buf_release(&item);
    buf_release(&fault);
}

static void make_sized(struct text *t, bool array)
{
    static const size_t SIZES[] = {99, 100, 101, 250, 30, 5000, 100, 70000, 40};
    buf_puts(&t->bytes, array ? "[" : "");
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        buf_puts(&t->bytes, array && i ? ",\n" : "");
        sized_item(t, SIZES[i], array);
    }
    buf_puts(&t->bytes, array ? "]" : "");
}

/* In lines and in an array; slices and pages of several sizes. */
static void test_items_beyond_the_limit_are_faults(void **state)
{
    (void)state;
    static const size_t SLICES[] = {16, 64, 300, 100000};
    struct scratch dir;
    scratch_init(&dir);
    for (unsigned round = 0; round < 8; round++) {
        struct text t;
        text_init(&t);
        make_sized(&t, round % 2);
        const char *paths[] = {scratch_write(&dir, "x", buf_view(&t.bytes))};
        struct files_options opts = {.paths = paths,
                                     .npaths = 1,
                                     .slice_bytes = SLICES[round / 2],
                                     .page_bytes = 50 + 40 * round,
                                     .line_limit = 100};
        uint64_t pages = read_with_stop(&opts, UINT64_MAX, &t.items);
        for (uint64_t stop = 0; stop < pages && stop < 50; stop++)
            (void)read_with_stop(&opts, stop, &t.items);
        paths[0] = scratch_gzip(&dir, "x", buf_view(&t.bytes));
        (void)read_with_stop(&opts, UINT64_MAX, &t.items);
        text_release(&t);
    }
    scratch_release(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_found_once_for_any_slice_and_stop),
        cmocka_unit_test(test_documents_are_found_once_for_any_slice_and_stop),
        cmocka_unit_test(test_many_streams_are_a_segment_each),
        cmocka_unit_test(test_items_beyond_the_limit_are_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
