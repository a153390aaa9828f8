/* SPDX-License-Identifier: MIT */
/* What a large item shares with the one before it is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sinks/store/zst.h"

enum { LARGEST = 400 << 10, DEFAULT_LEVEL = 3 };

static enum rc write_nowhere(struct store_object *o, struct str bytes, struct err *err)
{
    (void)o;
    (void)bytes;
    (void)err;
    return RC_OK;
}

static void close_nothing(struct store_object *o)
{
    (void)o;
}

/* Attributes with values that none other has. */
static void fill(char *p, size_t n)
{
    uint64_t x = 7;
    size_t at = 0;
    for (unsigned i = 0; at + 64 < n; i++) {
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
        at += (size_t)snprintf(p + at, n - at, "\"name%u\":{\"S\":\"%08x\"},", i,
                               (unsigned)(x >> 32));
    }
    memset(p + at, ' ', n - at);
}

static void test_largest_items_that_are_alike_are_packed_as_one(void **state)
{
    (void)state;
    static const struct store_object_ops OPS = {.write = write_nowhere, .close = close_nothing};
    struct store_object nowhere = {&OPS}, *back = NULL;
    struct zst_writer w;
    struct err err;
    unsigned char sha[ZST_SHA];
    char *item = malloc(LARGEST);
    assert_non_null(item);
    fill(item, LARGEST);
    assert_int_equal(zst_writer_init(&w, DEFAULT_LEVEL, &err), RC_OK);
    assert_int_equal(zst_writer_open(&w, &nowhere, &err), RC_OK);
    uint64_t first = 0;
    for (int i = 0; i < 10; i++) {
        buf_add(&w.in, item, LARGEST);
        assert_int_equal(zst_writer_flush(&w, &err), RC_OK);
        first = i ? first : w.bytes;
    }
    assert_int_equal(zst_writer_end(&w, sha, &back, &err), RC_OK);
    assert_true(first > LARGEST / 8);
    assert_true(w.bytes < 3 * first);
    zst_writer_release(&w);
    free(item);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_largest_items_that_are_alike_are_packed_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
