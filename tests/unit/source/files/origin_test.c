/* SPDX-License-Identifier: MIT */
/*
 * The file source on bytes that are no files: objects in memory, read in pieces that end
 * anywhere, late, failing at every offset, or changed on the way. What another origin (a
 * bucket) must do is what this one does.
 */
#include "pipeline/source/files/origin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <openssl/evp.h>

#include "tests/harness/drain.h"
#include "tests/harness/memory_origin.h"
#include "tests/harness/open_files.h"
#include "tests/harness/scratch.h"

enum { FEW = 3, FORMS = 6 };

static enum rc open_name(struct memory_origin *x, const char *name, struct source **s,
                         struct err *err)
{
    struct files_options opts = {.paths = &name,
                                 .npaths = 1,
                                 .origin = &x->base,
                                 .slice_bytes = 32,
                                 .page_bytes = 24,
                                 .line_limit = 40};
    *err = (struct err){0};
    return files_open(&opts, s, err);
}

/* Reads all of it; *bag may be NULL. */
static enum rc read_name(struct memory_origin *x, const char *name, struct bag *bag,
                         struct err *err)
{
    struct source *s = NULL;
    struct drain d;
    enum rc rc = open_name(x, name, &s, err);
    if (rc)
        return rc;
    drain_init(&d);
    rc = drain_run(&d, s, UINT64_MAX, err);
    if (bag) {
        *bag = d.bag;
        d.bag = (struct bag){0};
    }
    s->ops->free(s);
    drain_release(&d);
    return rc;
}

static void must_read(struct memory_origin *x, const char *name, const char *const *want)
{
    struct err err;
    struct bag have = {0}, wanted;
    bag_init(&wanted);
    enum rc rc = read_name(x, name, &have, &err);
    if (rc) {
        print_message("cut %llu, most %zu: %s\n", (unsigned long long)x->faults.cut,
                      x->faults.most, err.msg);
    }
    assert_int_equal(rc, RC_OK);
    for (; *want; want++)
        bag_add(&wanted, str_of(*want));
    assert_true(bag_same(&have, &wanted));
    bag_release(&have);
    bag_release(&wanted);
}

#define LONG "0123456789012345678901234567890123456789"
static const char LINES[] = ITEM("a") "\n" ITEM("bcd") "\n\n" ITEM(LONG) "\n" ITEM("e") "\n";
static const char DOCUMENT[] = "{\"Count\":3,\"Items\":[" ITEM("a") ",\n" ITEM("bcd") "," ITEM(
    LONG) "," ITEM("e") "],\"ScannedCount\":9}";
static const char *const WANT[] = {ITEM("a"), ITEM("bcd"), ITEM("e"), NULL};

typedef void pack_fn(struct buf *, struct str);

static void plain(struct buf *b, struct str text)
{
    buf_add_str(b, text);
}

/* All forms, in turn, as the object "x"; the long item is a fault that all readers tell alike. */
static void with_forms(void (*check)(struct memory_origin *, const char *const *))
{
    static pack_fn *const PACKS[] = {plain, scratch_add_gzip, scratch_add_zstd};
    struct memory_origin x;
    for (size_t i = 0; i < FORMS; i++) {
        struct err err;
        struct bag whole = {0};
        const char *want[MEMORY_OBJECTS + 1] = {0};
        memory_origin_init(&x);
        x.objects[0].name = "x";
        PACKS[i % FEW](&x.objects[0].data, str_of(i < FEW ? LINES : DOCUMENT));
        assert_int_equal(read_name(&x, "x", &whole, &err), RC_OK);
        assert_int_equal(whole.n, MEMORY_OBJECTS);
        size_t items = 0;
        for (size_t k = 0; k < whole.n; k++) {
            want[k] = whole.items[k];
            for (size_t m = 0; WANT[m]; m++)
                items += strcmp(want[k], WANT[m]) == 0;
        }
        assert_int_equal(items, FEW);
        check(&x, want);
        bag_release(&whole);
        memory_origin_release(&x);
    }
}

static void in_pieces(struct memory_origin *x, const char *const *want)
{
    for (size_t most = 1; most < 50; most += most < 8 ? 1 : 7) {
        x->faults.most = most;
        must_read(x, "x", want);
    }
    x->faults.most = 0;
    for (uint64_t at = 0; at <= x->objects[0].data.len; at++) {
        x->faults.cut = at;
        must_read(x, "x", want);
    }
}

static void test_reads_may_end_anywhere(void **state)
{
    (void)state;
    with_forms(in_pieces);
}

static void late(struct memory_origin *x, const char *const *want)
{
    for (uint64_t step = 1; step <= x->objects[0].data.len; step++) {
        x->faults.late = step;
        must_read(x, "x", want);
    }
}

static void test_reads_may_be_late(void **state)
{
    (void)state;
    with_forms(late);
}

static void failing(struct memory_origin *x, const char *const *want)
{
    struct err err;
    (void)want;
    for (uint64_t at = 0; at < x->objects[0].data.len; at++) {
        x->faults.fail = at;
        assert_int_equal(read_name(x, "x", NULL, &err), RC_TRANSIENT);
        assert_non_null(strstr(err.msg, "no answer at "));
        assert_int_equal(x->faults.open, 0);
    }
}

static void test_reads_may_fail_anywhere(void **state)
{
    (void)state;
    with_forms(failing);
}

static void changing(struct memory_origin *x, const char *const *want)
{
    struct err err;
    (void)want;
    x->faults.changed = true;
    assert_int_equal(read_name(x, "x", NULL, &err), RC_SOURCE);
    assert_non_null(strstr(err.msg, "\"x\" changed while it was read"));
}

static void test_another_version_is_told(void **state)
{
    (void)state;
    with_forms(changing);
}

static void ends_early(struct memory_origin *x, const char *const *want)
{
    struct source *s = NULL;
    struct drain d;
    struct err err;
    (void)want;
    assert_int_equal(open_name(x, "x", &s, &err), RC_OK);
    x->objects[0].data.len /= 2;
    drain_init(&d);
    assert_int_equal(drain_run(&d, s, UINT64_MAX, &err), RC_SOURCE);
    s->ops->free(s);
    drain_release(&d);
}

static void test_an_end_that_comes_early_is_told(void **state)
{
    (void)state;
    with_forms(ends_early);
}

static void test_identity_has_the_whole_name(void **state)
{
    (void)state;
    struct memory_origin x;
    struct source *s = NULL;
    struct err err;
    memory_origin_init(&x);
    x.objects[0].name = "x";
    buf_puts(&x.objects[0].data, ITEM("a"));
    assert_int_equal(open_name(&x, "x", &s, &err), RC_OK);
    char *text = strndup(s->identity.p, s->identity.n);
    assert_non_null(text);
    assert_non_null(strstr(text, "\"memory://x\" lines size 16 mtime 0\n"));
    free(text);
    s->ops->free(s);
    assert_int_equal(open_name(&x, "y", &s, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "cannot open \"y\""));
    memory_origin_release(&x);
}

static void test_folders_and_exports_need_no_files(void **state)
{
    (void)state;
    struct memory_origin x;
    struct err err;
    unsigned char md5[EVP_MAX_MD_SIZE], text[32];
    memory_origin_init(&x);
    x.objects[0].name = "p/1/data/one.json.gz";
    scratch_add_gzip(&x.objects[0].data, STR("{\"Item\":" ITEM("a") "}\n"));
    must_read(&x, "p", (const char *const[]){"{\"Item\":" ITEM("a") "}", NULL});
    struct str packed = buf_view(&x.objects[0].data);
    assert_int_equal(EVP_Digest(packed.p, packed.n, md5, NULL, EVP_md5(), NULL), 1);
    assert_int_equal(EVP_EncodeBlock(text, md5, 16), 24);
    x.objects[1].name = "p/1/manifest-files.json";
    buf_addf(&x.objects[1].data,
             "{\"itemCount\":1,\"md5Checksum\":\"%s\",\"dataFileS3Key\":\"q/data/one.json.gz\"}"
             "\n",
             (const char *)text);
    x.objects[2].name = "p/1/manifest-summary.json";
    buf_puts(&x.objects[2].data,
             "{\"exportArn\":\"arn:x\",\"itemCount\":1,\"outputFormat\":\"DYNAMODB_JSON\"}\n");
    x.faults.late = 5;
    must_read(&x, "p", (const char *const[]){"{\"Item\":" ITEM("a") "}", NULL});
    x.objects[3].name = "p/1/data/two.json.gz";
    assert_int_equal(read_name(&x, "p/1", NULL, &err), RC_SOURCE);
    assert_non_null(strstr(err.msg, "\"p/1/data/two.json.gz\" is not listed"));
    x.objects[0].name = NULL;
    assert_int_equal(read_name(&x, "p/1", NULL, &err), RC_SOURCE);
    assert_non_null(strstr(err.msg, "one.json.gz\" is listed in the export's manifest"));
    memory_origin_release(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_may_end_anywhere),
        cmocka_unit_test(test_reads_may_be_late),
        cmocka_unit_test(test_reads_may_fail_anywhere),
        cmocka_unit_test(test_another_version_is_told),
        cmocka_unit_test(test_an_end_that_comes_early_is_told),
        cmocka_unit_test(test_identity_has_the_whole_name),
        cmocka_unit_test(test_folders_and_exports_need_no_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
