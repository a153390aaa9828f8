/* SPDX-License-Identifier: MIT */
/*
 * An answer is believed if it is the range that was asked for, of the version that was there
 * when the run began. A server that ignores ranges is believed if all was asked for.
 */
#include <stdlib.h>

#include "pipeline/base/timefmt.h"
#include "pipeline/source/s3/s3_bytes.h"
#include "pipeline/source/s3/s3_origin.h"

static long status_of(const struct http_call *call)
{
    struct str head = buf_view(&call->head);
    size_t at = str_find(head, STR(" "), 0);
    unsigned long long n = 0;
    return at + 4 <= head.n && str_uint(str_make(head.p + at + 1, 3), &n) ? (long)n : 0;
}

static struct str etag_of(const struct http_call *call)
{
    struct str s = http_header(call, "etag");
    if (str_starts(s, STR("W/")))
        s = str_from(s, 2);
    return s.n > 1 && s.p[0] == '"' && s.p[s.n - 1] == '"' ? str_make(s.p + 1, s.n - 2) : s;
}

/* "bytes FROM-LAST/SIZE" */
static bool read_range(struct str s, uint64_t *from, uint64_t *end, uint64_t *size)
{
    unsigned long long n[3];
    if (!str_starts(s, STR("bytes ")))
        return false;
    s = str_from(s, 6);
    size_t dash = str_find(s, STR("-"), 0), slash = str_find(s, STR("/"), 0);
    if (dash >= slash || slash >= s.n || !str_uint(str_make(s.p, dash), &n[0]) ||
        !str_uint(str_make(s.p + dash + 1, slash - dash - 1), &n[1]) ||
        !str_uint(str_from(s, slash + 1), &n[2]))
        return false;
    *from = n[0];
    *end = n[1] + 1;
    *size = n[2];
    return n[0] <= n[1] && n[1] < n[2];
}

void s3_head_changed(struct s3_bytes *b, struct str etag)
{
    (void)err_set(&b->failed, RC_SOURCE, "\"%s\" changed while it was read (ETag %.*s%s%.*s)",
                  b->object->name, STR_FMT(b->object->etag), etag.n ? ", now " : "",
                  (int)(etag.n < 80 ? etag.n : 80), etag.n ? etag.p : "");
    (void)err_hint(&b->failed, "let the writer finish, then run again with --restart");
}

static bool learn(struct s3_bytes *b, struct str etag, uint64_t size)
{
    struct s3_object *x = b->object;
    x->size = size;
    (void)timefmt_read_http(http_header(&b->request.http, "last-modified"), &x->mtime_us);
    x->known = s3_origin_etag(b->link->origin, x, etag);
    if (b->until > size)
        b->until = size;
    return x->known;
}

bool s3_head_check(struct s3_bytes *b, const char **why)
{
    const struct http_call *call = &b->request.http;
    uint64_t from = 0, end = 0, size = 0;
    unsigned long long length = 0;
    long status = status_of(call);
    struct str etag = etag_of(call);
    *why = "the answer is no part of the object";
    if (status == 206 && !read_range(http_header(call, "content-range"), &from, &end, &size))
        return false;
    if (status == 200) {
        if (!str_uint(http_header(call, "content-length"), &length))
            return false;
        end = size = length;
        *why = "the server gives the whole object where a part was asked for";
    }
    if ((status != 206 && status != 200) || etag.n == 0 || from != b->began)
        return false;
    if (!b->object->known && !learn(b, etag, size)) {
        *why = "out of memory";
        return false;
    }
    if (size != b->object->size || !str_eq(etag, b->object->etag)) {
        s3_head_changed(b, etag);
        *why = "another version";
        return false;
    }
    return end == b->until;
}
