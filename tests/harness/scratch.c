/* SPDX-License-Identifier: MIT */
/* gzip comes from zlib on purpose: another writer than the reader under test. */
#define _GNU_SOURCE
#include "tests/harness/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <zlib.h>
#include <zstd.h>

#include "pipeline/base/buf.h"

void scratch_init(struct scratch *s)
{
    const char *base = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): before any thread
    (void)snprintf(s->dir, sizeof s->dir, "%s/renorm-test-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(s->dir));
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
    (void)st;
    (void)kind;
    (void)ftw;
    return remove(path);
}

void scratch_release(struct scratch *s)
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): after all threads
    assert_int_equal(nftw(s->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

const char *scratch_path(struct scratch *s, const char *name)
{
    (void)snprintf(s->path, sizeof s->path, "%s/%s", s->dir, name);
    return s->path;
}

void scratch_read(const char *path, struct buf *out)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    for (int c; (c = getc(f)) != EOF;)
        buf_putc(out, (char)c);
    (void)fclose(f);
}

static void make_folders(char *path, size_t from)
{
    for (char *p = strchr(path + from, '/'); p; p = strchr(p + 1, '/')) {
        *p = '\0';
        assert_true(mkdir(path, 0700) == 0 || errno == EEXIST);
        *p = '/';
    }
}

const char *scratch_write(struct scratch *s, const char *name, struct str data)
{
    (void)scratch_path(s, name);
    make_folders(s->path, strlen(s->dir) + 1);
    int fd = open(s->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    while (data.n) {
        ssize_t n = write(fd, data.p, data.n);
        assert_true(n > 0);
        data = str_from(data, (size_t)n);
    }
    assert_int_equal(close(fd), 0);
    return s->path;
}

void scratch_add_gzip(struct buf *out, struct str data)
{
    z_stream z = {0};
    unsigned char *p = (unsigned char *)(uintptr_t)data.p;
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&z, data.n);
    assert_true(buf_room(out, room));
    z.next_in = data.n ? p : NULL;
    z.avail_in = (unsigned)data.n;
    z.next_out = (unsigned char *)out->p + out->len;
    z.avail_out = (unsigned)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    out->len += room - z.avail_out;
    assert_int_equal(deflateEnd(&z), Z_OK);
}

void scratch_add_zstd(struct buf *out, struct str data)
{
    size_t room = ZSTD_compressBound(data.n);
    assert_true(buf_room(out, room));
    size_t n = ZSTD_compress(out->p + out->len, room, data.p, data.n, 3);
    assert_false(ZSTD_isError(n));
    out->len += n;
}

static const char *packed(struct scratch *s, const char *name, struct str data,
                          void (*pack)(struct buf *, struct str))
{
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    pack(&b, data);
    const char *path = scratch_write(s, name, buf_view(&b));
    buf_release(&b);
    return path;
}

const char *scratch_gzip(struct scratch *s, const char *name, struct str data)
{
    return packed(s, name, data, scratch_add_gzip);
}

const char *scratch_zstd(struct scratch *s, const char *name, struct str data)
{
    return packed(s, name, data, scratch_add_zstd);
}
