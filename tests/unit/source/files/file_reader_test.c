/* SPDX-License-Identifier: MIT */
/* Readers of files: several at once, pipes, failures that all must see, slices asked for again. */
#include "pipeline/source/files/file_reader.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/harness/drain.h"
#include "tests/harness/open_files.h"
#include "tests/harness/scratch.h"

static void test_cut_short_gzip_ends_every_reader(void **state)
{
    (void)state;
    struct scratch dir;
    struct buf text, packed;
    struct source *s = NULL;
    struct err err;
    scratch_init(&dir);
    buf_init(&text, BUF_NO_LIMIT);
    buf_init(&packed, BUF_NO_LIMIT);
    for (unsigned i = 0; i < 20000; i++)
        buf_addf(&text, "{\"PK\":{\"S\":\"%u-%u\"}}\n", i * 2654435761u, i);
    scratch_add_gzip(&packed, buf_view(&text));
    const char *path = scratch_write(&dir, "f.gz", str_make(packed.p, packed.len - 100));
    struct drain d;
    assert_int_equal(open_path(path, &s, &err), RC_OK);
    for (int i = 0; i < 2; i++) {
        drain_init(&d);
        assert_int_equal(drain_run(&d, s, UINT64_MAX, &err), RC_SOURCE);
        assert_non_null(strstr(err.msg, "cut short"));
        drain_release(&d);
    }
    s->ops->free(s);
    buf_release(&text);
    buf_release(&packed);
    scratch_release(&dir);
}

static void test_pipe_is_read_once_and_cannot_resume(void **state)
{
    (void)state;
    struct source *s = NULL;
    struct err err;
    struct drain d;
    int ends[2], old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(write(ends[1], ITEM("a") "\n", 17), 17);
    assert_int_equal(close(ends[1]), 0);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(open_path("-", &s, &err), RC_OK);
    assert_false(s->resumable);
    assert_int_equal(s->bytes, 0);
    assert_int_equal(s->segments, 0);
    drain_init(&d);
    assert_int_equal(drain_run(&d, s, UINT64_MAX, &err), RC_OK);
    assert_int_equal(d.bag.n, 1000);
    drain_release(&d);
    s->ops->free(s);
    if (old >= 0) {
        assert_int_equal(dup2(old, STDIN_FILENO), STDIN_FILENO);
        assert_int_equal(close(old), 0);
    }
}

struct work {
    struct source *source;
    struct drain drain;
    struct err err;
    enum rc rc;
};

static void *work(void *arg)
{
    struct work *w = arg;
    w->rc = drain_run(&w->drain, w->source, UINT64_MAX, &w->err);
    return NULL;
}

/* Four readers share three files of each kind. */
static void test_readers_share_files(void **state)
{
    (void)state;
    enum { WORKERS = 4, ITEMS = 3000 };
    struct scratch dir;
    struct bag want;
    struct err err = {0};
    scratch_init(&dir);
    bag_init(&want);
    for (unsigned f = 0; f < 9; f++) {
        struct buf text;
        char name[32];
        buf_init(&text, BUF_NO_LIMIT);
        (void)snprintf(name, sizeof name, "in/%u.json", f);
        for (unsigned i = 0; i < ITEMS; i++) {
            size_t start = text.len;
            buf_addf(&text, "{\"PK\":{\"S\":\"%u.%u\"}}\n", f, i);
            bag_add(&want, str_make(text.p + start, text.len - start - 1));
        }
        (void)(f % 3 == 0   ? scratch_write
               : f % 3 == 1 ? scratch_gzip
                            : scratch_zstd)(&dir, name, buf_view(&text));
        buf_release(&text);
    }
    const char *paths[] = {scratch_path(&dir, "in")};
    struct files_options opts = {
        .paths = paths, .npaths = 1, .slice_bytes = 5000, .page_bytes = 1500};
    struct source *s = NULL;
    assert_int_equal(files_open(&opts, &s, &err), RC_OK);
    struct work works[WORKERS];
    pthread_t threads[WORKERS];
    struct bag all;
    bag_init(&all);
    for (int i = 0; i < WORKERS; i++) {
        works[i] = (struct work){.source = s};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &works[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(works[i].rc, RC_OK);
        for (size_t k = 0; k < works[i].drain.bag.n; k++)
            bag_add(&all, str_of(works[i].drain.bag.items[k]));
        drain_release(&works[i].drain);
    }
    assert_true(bag_same(&all, &want));
    bag_release(&all);
    bag_release(&want);
    s->ops->free(s);
    scratch_release(&dir);
}

/* A slice that was handed out can be asked for again, also after later ones. */
static void test_slice_is_read_again(void **state)
{
    (void)state;
    struct scratch dir;
    struct err err = {0};
    struct source *s = NULL;
    struct buf text;
    scratch_init(&dir);
    buf_init(&text, BUF_NO_LIMIT);
    for (unsigned i = 0; i < 100; i++)
        buf_addf(&text, "{\"PK\":{\"S\":\"%u\"}}\n", i);
    const char *paths[] = {scratch_gzip(&dir, "f.gz", buf_view(&text))};
    struct files_options opts = {.paths = paths, .npaths = 1, .slice_bytes = 100};
    assert_int_equal(files_open(&opts, &s, &err), RC_OK);
    struct reader *r = s->ops->reader(s, &err);
    assert_non_null(r);
    char *first[5];
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < 5; i++) {
            uint32_t segment = i;
            struct page *page = NULL;
            if (pass == 0)
                assert_int_equal(s->ops->take(s, r, &segment, &err), RC_OK);
            assert_int_equal(segment, i);
            assert_int_equal(r->ops->start(r, segment, (struct str){0}, &err), RC_OK);
            assert_int_equal(r->ops->next(r, &page, &err), RC_OK);
            assert_true(page->last);
            if (pass == 0) {
                first[i] = strndup(page->raw.p, page->raw.len);
            } else {
                assert_true(str_is(buf_view(&page->raw), first[i]));
                free(first[i]);
            }
            r->ops->give_back(r, page);
            assert_int_equal(r->ops->next(r, &page, &err), RC_END);
        }
    }
    assert_int_equal(r->ops->start(r, 4000, (struct str){0}, &err), RC_SOURCE);
    r->ops->free(r);
    s->ops->free(s);
    buf_release(&text);
    scratch_release(&dir);
}

/* Every other segment was done before, and half of one: all bytes are told, read or passed over. */
static void pass_over(const char *path, struct str half)
{
    struct source *s = NULL;
    struct err err = {0};
    struct page *page = NULL;
    struct files_options opts = {
        .paths = &path, .npaths = 1, .slice_bytes = 1000, .page_bytes = 100};
    assert_int_equal(files_open(&opts, &s, &err), RC_OK);
    struct reader *r = s->ops->reader(s, &err);
    assert_non_null(r);
    uint64_t passed = 0, read = 0;
    uint32_t segment = 0;
    while (!s->ops->take(s, r, &segment, &err)) {
        if (segment % 2) {
            (r->ops->skip)(r, segment);
            continue;
        }
        assert_int_equal(r->ops->start(r, segment, segment ? (struct str){0} : half, &err),
                         RC_OK);
        while (!r->ops->next(r, &page, &err)) {
            passed += page->bytes_passed;
            read += page->bytes_in;
            assert_non_null(strstr(page->input, "/f"));
            r->ops->give_back(r, page);
        }
    }
    if (half.n) /* a packed file is told as its bytes are fetched, which is at once here */
        assert_true(passed > s->bytes / 4 && read > s->bytes / 4);
    assert_true(passed + read <= s->bytes);
    assert_true(passed + read + 2000 >
                s->bytes); /* a last segment that is passed over is untold */
    r->ops->free(r);
    s->ops->free(s);
}

static void test_bytes_that_were_done_before_are_told(void **state)
{
    (void)state;
    struct scratch dir;
    struct buf text;
    scratch_init(&dir);
    buf_init(&text, BUF_NO_LIMIT);
    for (unsigned i = 0; i < 2000; i++)
        buf_addf(&text, "{\"PK\":{\"S\":\"%08u\"}}\n", i * 2654435761u % 100000000);
    pass_over(scratch_write(&dir, "f", buf_view(&text)), STR("500"));
    pass_over(scratch_gzip(&dir, "f.gz", buf_view(&text)), (struct str){0});
    buf_release(&text);
    scratch_release(&dir);
}

static void test_wake_ends_a_wait(void **state)
{
    (void)state;
    struct scratch dir;
    struct err err = {0};
    struct source *s = NULL;
    scratch_init(&dir);
    assert_int_equal(open_path(scratch_write(&dir, "f", STR(ITEM("a"))), &s, &err), RC_OK);
    struct reader *r = s->ops->reader(s, &err);
    assert_non_null(r);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct pollfd extra = {.fd = ends[0], .events = POLLIN};
    r->ops->wake(r);
    assert_int_equal((r->ops->wait)(r, &extra, 1, -1, &err), RC_OK);
    assert_int_equal(extra.revents, 0);
    assert_int_equal((r->ops->wait)(r, &extra, 1, 0, &err), RC_OK);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal((r->ops->wait)(r, &extra, 1, -1, &err), RC_OK);
    assert_true(extra.revents & POLLIN);
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(close(ends[1]), 0);
    r->ops->free(r);
    s->ops->free(s);
    scratch_release(&dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_short_gzip_ends_every_reader),
        cmocka_unit_test(test_pipe_is_read_once_and_cannot_resume),
        cmocka_unit_test(test_readers_share_files),
        cmocka_unit_test(test_slice_is_read_again),
        cmocka_unit_test(test_bytes_that_were_done_before_are_told),
        cmocka_unit_test(test_wake_ends_a_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
