/* SPDX-License-Identifier: MIT */
/*
 * The document cutter: what it finds must not depend on the pieces the bytes come in, and an
 * answer to Scan that is accepted must hold its items inside its bytes. The first byte picks
 * the format, the second the size of the pieces.
 */
#include <stdlib.h>

#include "pipeline/source/files/format/cutter.h"
#include "pipeline/source/table/scan_cut.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where items begin and end, as numbers. */
static void cut(enum format format, struct str text, size_t piece, struct buf *out)
{
    struct cutter c;
    size_t at = 0;
    enum cut what = CUT_MORE;
    cutter_init(&c, format);
    while (at < text.n && what != CUT_BAD) {
        size_t n = text.n - at < piece ? text.n - at : piece;
        size_t took = cutter_feed(&c, text.p + at, n, &what);
        if (took > n || (what == CUT_MORE && took != n))
            abort();
        at += took;
        if (what != CUT_MORE)
            buf_addf(out, "%d %zu,", (int)what, at);
    }
    buf_addf(out, "%d", cutter_complete(&c));
}

static void check_scan(struct str body)
{
    struct page page;
    struct scan_rest rest;
    struct err err;
    page_init(&page, 1 << 20);
    if (!scan_cut(body, &page, &rest, &err)) {
        for (size_t i = 0; i < page.nextents; i++) {
            if (page.extents[i].n == 0 || page.extents[i].at + page.extents[i].n > body.n)
                abort();
        }
    }
    page_release(&page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const enum format FORMATS[] = {FORMAT_SEQUENCE, FORMAT_ARRAY, FORMAT_DOCUMENT};
    struct buf whole, pieces;
    if (size < 2)
        return 0;
    struct str text = {(const char *)data + 2, size - 2};
    buf_init(&whole, BUF_NO_LIMIT);
    buf_init(&pieces, BUF_NO_LIMIT);
    enum format format = FORMATS[data[0] % 3];
    cut(format, text, text.n + 1, &whole);
    cut(format, text, (size_t)data[1] % 70 + 1, &pieces);
    if (!str_eq(buf_view(&whole), buf_view(&pieces)))
        abort();
    buf_release(&whole);
    buf_release(&pieces);
    check_scan(text);
    return 0;
}
