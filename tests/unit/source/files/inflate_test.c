/* SPDX-License-Identifier: MIT */
/*
 * Unpacking with reads and buffers of every size: several members, cut short at every byte,
 * damaged, followed by something else, and pipes that stay silent.
 */
#define _GNU_SOURCE
#include "pipeline/source/files/inflate.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/harness/scratch.h"

static enum rc unpack(const char *path, size_t reads, size_t piece, struct buf *out,
                      struct err *err)
{
    struct input in = {.origin = &origin_local, .path = path};
    struct inflate *f = NULL;
    assert_int_equal(input_look(&in, err), RC_OK);
    buf_clear(out);
    enum rc rc = inflate_open(&in, reads, &f, err);
    while (!rc) {
        size_t got = 0;
        assert_true(buf_room(out, piece));
        rc = inflate_read(f, out->p + out->len, piece, &got, err);
        assert_true(got <= piece);
        assert_true(rc || got > 0);
        out->len += got;
    }
    if (rc == RC_END)
        assert_int_equal(inflate_used(f), in.facts.size);
    inflate_free(f);
    return rc;
}

static void unpacks_to(struct scratch *dir, struct str packed, struct str want)
{
    static const size_t READS[] = {1, 5, 7, 64, 1000, 0}, PIECES[] = {1, 3, 100, 100000};
    struct buf out;
    struct err err = {0};
    const char *path = scratch_write(dir, "x", packed);
    buf_init(&out, BUF_NO_LIMIT);
    for (size_t i = 0; i < sizeof READS / sizeof READS[0]; i++) {
        for (size_t k = 0; k < sizeof PIECES / sizeof PIECES[0]; k++) {
            enum rc rc = unpack(path, READS[i], PIECES[k], &out, &err);
            if (rc != RC_END)
                print_message("reads of %zu: %s\n", READS[i], err.msg);
            assert_int_equal(rc, RC_END);
            assert_true(str_eq(buf_view(&out), want));
        }
    }
    buf_release(&out);
}

static void add_text(struct buf *b, size_t n)
{
    uint64_t x = n;
    for (size_t i = 0; i < n; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        buf_putc(b, "{\"S\":\"abcdefghijklmn\"},\n"[(x >> 40) % 25]);
    }
}

typedef void pack_fn(struct buf *, struct str);

static void several(struct scratch *dir, pack_fn *pack)
{
    static const size_t SIZES[] = {0, 10, 3000, 0, 70000, 1};
    struct buf packed, plain;
    buf_init(&packed, BUF_NO_LIMIT);
    buf_init(&plain, BUF_NO_LIMIT);
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        size_t start = plain.len;
        add_text(&plain, SIZES[i]);
        pack(&packed, str_make(plain.len > start ? plain.p + start : "", plain.len - start));
        unpacks_to(dir, buf_view(&packed), buf_view(&plain));
    }
    buf_release(&packed);
    buf_release(&plain);
}

static void test_members_and_frames_follow_each_other(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    several(&dir, scratch_add_gzip);
    several(&dir, scratch_add_zstd);
    scratch_release(&dir);
}

static void test_plain_bytes_stay(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    unpacks_to(&dir, STR(""), STR(""));
    unpacks_to(&dir, STR("{"), STR("{"));
    unpacks_to(&dir, STR("{\"PK\":{}}\n"), STR("{\"PK\":{}}\n"));
    unpacks_to(&dir, STR("\x1f"), STR("\x1f"));
    scratch_release(&dir);
}

static void test_skippable_frames_are_passed_over(void **state)
{
    (void)state;
    struct scratch dir;
    struct buf packed;
    scratch_init(&dir);
    buf_init(&packed, BUF_NO_LIMIT);
    buf_add(&packed, "\x5a\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
    scratch_add_zstd(&packed, STR("hello"));
    unpacks_to(&dir, buf_view(&packed), STR("hello"));
    buf_release(&packed);
    scratch_release(&dir);
}

static void fails_with(struct scratch *dir, struct str packed, const char *message)
{
    struct buf out;
    struct err err = {0};
    buf_init(&out, BUF_NO_LIMIT);
    const char *path = scratch_write(dir, "bad.gz", packed);
    for (size_t reads = 0; reads < 3; reads++) {
        assert_int_equal(unpack(path, reads * 50, 1000, &out, &err), RC_SOURCE);
        if (!strstr(err.msg, message))
            print_message("%s\n", err.msg);
        assert_non_null(strstr(err.msg, message));
        assert_non_null(strstr(err.msg, path));
        assert_non_null(strstr(err.msg, "at byte "));
    }
    buf_release(&out);
}

static void cut_everywhere(struct scratch *dir, pack_fn *pack, size_t from)
{
    struct buf packed, plain;
    buf_init(&packed, BUF_NO_LIMIT);
    buf_init(&plain, BUF_NO_LIMIT);
    add_text(&plain, 400);
    pack(&packed, buf_view(&plain));
    for (size_t n = from; n < packed.len; n++)
        fails_with(dir, str_make(packed.p, n), "is cut short");
    size_t whole = packed.len;
    pack(&packed, buf_view(&plain)); /* and in the second one */
    for (size_t n = whole + 1; n < packed.len; n += 7)
        fails_with(dir, str_make(packed.p, n), "is cut short");
    buf_release(&packed);
    buf_release(&plain);
}

static void test_cut_short_at_any_byte(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    cut_everywhere(&dir, scratch_add_gzip, 2);
    cut_everywhere(&dir, scratch_add_zstd, 4);
    scratch_release(&dir);
}

static void junk_behind(struct scratch *dir, pack_fn *pack)
{
    struct buf packed;
    buf_init(&packed, BUF_NO_LIMIT);
    pack(&packed, STR("{\"PK\":{\"S\":\"x\"}}\n"));
    size_t whole = packed.len;
    buf_puts(&packed, "junk");
    fails_with(dir, buf_view(&packed), "something else follows");
    packed.len = whole;
    buf_add(&packed, "\0\0\0\0\0\0\0\0", 8);
    fails_with(dir, buf_view(&packed), "something else follows");
    buf_release(&packed);
}

static void test_junk_behind_the_data_is_an_error(void **state)
{
    (void)state;
    struct scratch dir;
    scratch_init(&dir);
    junk_behind(&dir, scratch_add_gzip);
    junk_behind(&dir, scratch_add_zstd);
    scratch_release(&dir);
}

static void test_damaged_gzip_is_told_by_its_checksum(void **state)
{
    (void)state;
    struct scratch dir;
    struct buf packed, plain;
    scratch_init(&dir);
    buf_init(&packed, BUF_NO_LIMIT);
    buf_init(&plain, BUF_NO_LIMIT);
    add_text(&plain, 4000);
    scratch_add_gzip(&packed, buf_view(&plain));
    packed.p[packed.len - 6] ^= 1; /* the stored CRC */
    fails_with(&dir, buf_view(&packed), "checksum");
    buf_release(&packed);
    buf_release(&plain);
    scratch_release(&dir);
}

static void test_md5_of_listed_files(void **state)
{
    (void)state;
    static const unsigned char WANT[16] = {0x5d, 0x41, 0x40, 0x2a, 0xbc, 0x4b, 0x2a, 0x76,
                                           0xb9, 0x71, 0x9d, 0x91, 0x10, 0x17, 0xc5, 0x92};
    struct scratch dir;
    struct inflate *f = NULL;
    struct err err = {0};
    unsigned char md5[16];
    char out[16];
    size_t got;
    scratch_init(&dir);
    struct input in = {.origin = &origin_local,
                       .path = scratch_write(&dir, "x", STR("hello")),
                       .listed = true};
    assert_int_equal(inflate_open(&in, 0, &f, &err), RC_OK);
    assert_int_equal(inflate_read(f, out, sizeof out, &got, &err), RC_OK);
    assert_int_equal(inflate_read(f, out, sizeof out, &got, &err), RC_END);
    assert_int_equal(inflate_md5(f, md5, &err), RC_OK);
    assert_memory_equal(md5, WANT, 16);
    inflate_free(f);
    scratch_release(&dir);
}

static void test_silent_pipe_says_again(void **state)
{
    (void)state;
    struct scratch dir;
    struct inflate *f = NULL;
    struct err err = {0};
    char out[64];
    size_t got = 0;
    scratch_init(&dir);
    struct input in = {.origin = &origin_local, .path = scratch_path(&dir, "pipe")};
    assert_int_equal(mkfifo(in.path, 0600), 0);
    int keep = open(in.path, O_RDWR | O_CLOEXEC); /* so that opening never waits */
    assert_true(keep >= 0);
    assert_int_equal(write(keep, "hello", 5), 5);
    assert_int_equal(inflate_open(&in, 0, &f, &err), RC_OK);
    assert_int_equal(inflate_read(f, out, 64, &got, &err), RC_OK);
    assert_int_equal(got, 5);
    assert_int_equal(inflate_read(f, out, 64, &got, &err), RC_AGAIN);
    assert_int_equal(inflate_unread(f, STR("hel"), &err), RC_OK);
    assert_int_equal(inflate_read(f, out, 2, &got, &err), RC_OK);
    assert_int_equal(got, 2);
    assert_int_equal(inflate_read(f, out, 64, &got, &err), RC_OK);
    assert_int_equal(got, 1);
    assert_int_equal(write(keep, "more", 4), 4);
    assert_int_equal(inflate_read(f, out, 64, &got, &err), RC_OK);
    assert_int_equal(got, 4);
    assert_int_equal(close(keep), 0);
    assert_int_equal(inflate_read(f, out, 64, &got, &err), RC_END);
    inflate_free(f);
    scratch_release(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_members_and_frames_follow_each_other),
        cmocka_unit_test(test_plain_bytes_stay),
        cmocka_unit_test(test_skippable_frames_are_passed_over),
        cmocka_unit_test(test_cut_short_at_any_byte),
        cmocka_unit_test(test_junk_behind_the_data_is_an_error),
        cmocka_unit_test(test_damaged_gzip_is_told_by_its_checksum),
        cmocka_unit_test(test_md5_of_listed_files),
        cmocka_unit_test(test_silent_pipe_says_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
