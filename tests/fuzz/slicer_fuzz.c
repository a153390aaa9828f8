/* SPDX-License-Identifier: MIT */
/*
 * The file slicer: whatever bytes a file holds, and whatever the sizes, the slices together hand
 * out the lines that a naive reader finds, in order; starting again at a page's resume key
 * changes nothing. The same bytes as a stream give the same lines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "pipeline/source/files/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_items(struct buf *out, const struct page *page)
{
    size_t at = 0;
    struct str raw;
    const char *fault;
    while (page_next(page, &at, &raw, &fault)) {
        buf_addf(out, "%s %llu:", fault ? fault : "",
                 (unsigned long long)page_whole(page, at, raw));
        if (!fault) /* of a long line only the start is there */
            buf_add_str(out, raw);
        buf_putc(out, '\n');
    }
}

/* Line by line: those beyond the limit are faults, blank ones nothing. */
static void naive(struct str text, const struct limits *limits, struct buf *out)
{
    while (text.n) {
        const char *nl = memchr(text.p, '\n', text.n);
        size_t n = nl ? (size_t)(nl - text.p) : text.n;
        struct str line = str_make(text.p, n);
        text = str_from(text, nl ? n + 1 : n);
        if (n > limits->line_limit) {
            buf_addf(out, "line-too-long %zu:\n", nl ? n + 1 : n);
            continue;
        }
        struct page page;
        page_init(&page, BUF_NO_LIMIT);
        page.format = PAGE_LINES;
        buf_add_str(&page.raw, line);
        add_items(out, &page);
        page_release(&page);
    }
}

static void must(enum rc rc)
{
    if (rc)
        abort();
}

static void slices(const struct input *in, const struct limits *limits, bool restart,
                   struct buf *out)
{
    struct err err;
    struct page page;
    struct slicer s;
    slicer_init(&s);
    page_init(&page, limits_page_max(limits));
    for (uint64_t k = 0; k < slicer_count(in, limits); k++) {
        must(slicer_start(&s, in, limits, k, (struct str){0}, &err));
        do {
            page_clear(&page);
            must(slicer_next(&s, &page, &err));
            add_items(out, &page);
            if (restart && !page.last)
                must(slicer_start(&s, in, limits, k, buf_view(&page.resume), &err));
        } while (!page.last);
    }
    page_release(&page);
    slicer_release(&s);
}

static void streamed(const struct input *in, const struct limits *limits, struct buf *out)
{
    struct err err;
    struct page page;
    struct stream *st = NULL;
    page_init(&page, limits_page_max(limits));
    must(stream_open(in, NULL, limits, limits->slice_bytes, &st, &err));
    do {
        must(stream_next(st, &page, &err));
        add_items(out, &page);
    } while (!page.last);
    page_release(&page);
    stream_free(st);
}

static void check(const struct input *in, struct str text, const struct limits *limits)
{
    struct buf want, have[3];
    buf_init(&want, BUF_NO_LIMIT);
    naive(text, limits, &want);
    for (int i = 0; i < 3; i++)
        buf_init(&have[i], BUF_NO_LIMIT);
    slices(in, limits, false, &have[0]);
    slices(in, limits, true, &have[1]);
    streamed(in, limits, &have[2]);
    for (int i = 0; i < 3; i++) {
        if (!str_eq(buf_view(&want), buf_view(&have[i])))
            abort();
        buf_release(&have[i]);
    }
    buf_release(&want);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err;
    char path[64];
    if (size < 4 || (data[3] == 0x1f || data[3] == 0x28 || (data[3] & 0xf0) == 0x50))
        return 0; /* not plain */
    FILE *file = tmpfile();
    if (!file)
        abort();
    struct str text = {(const char *)data + 3, size - 3};
    if (fwrite(text.p, 1, text.n, file) != text.n || fflush(file) != 0)
        abort();
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    struct input in = {.origin = &origin_local, .path = path, .format = FORMAT_LINES};
    must(input_look(&in, &err));
    struct limits limits = {16 + data[0], 1 + (size_t)data[1], 20 + (size_t)data[2]};
    check(&in, text, &limits);
    (void)fclose(file);
    return 0;
}
