/* SPDX-License-Identifier: MIT */
/*
 * Where a bucket is: in the header x-amz-bucket-region, in the body's <Region>, or, for a bucket
 * that was made just now, in the name of the host that the service wants to be asked. Of such a
 * name only the region is taken, and only if it is the bucket's own host in AWS: where the
 * request goes is then derived like any other address.
 */
#include <stdio.h>

#include "pipeline/aws/s3/s3.h"
#include "pipeline/aws/xml.h"

enum { MOVES_MAX = 3, TEXT_MAX = 4096 };

static bool is_region(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-')
            return false;
    }
    return s.n > 0 && s.n < 64;
}

/* True if the failure is one that another region cures. */
static bool is_elsewhere(const struct s3_request *r)
{
    static const char *const NAMES[] = {"AuthorizationHeaderMalformed",
                                        "IllegalLocationConstraintException",
                                        "PermanentRedirect", "Redirect", "TemporaryRedirect"};
    const struct aws_failure *f = &r->failure;
    if (f->result != HTTP_DONE)
        return false;
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        if (strcmp(f->name, NAMES[i]) == 0)
            return true;
    }
    bool nameless = f->status == 400 && !f->name[0]; /* of a HEAD */
    return (f->status >= 300 && f->status < 400 && f->status != 304) || nameless;
}

/* BUCKET.s3.REGION.amazonaws.com, BUCKET.s3-REGION.amazonaws.com; empty: another host. */
static struct str region_of_host(const struct s3 *s, struct str host)
{
    static const char *const SUFFIXES[] = {".amazonaws.com", ".amazonaws.com.cn"};
    struct str bucket = s->config.bucket;
    if (!str_starts(host, bucket) || !str_starts(str_from(host, bucket.n), STR(".s3")))
        return STR("");
    struct str rest = str_from(host, bucket.n + 3);
    for (size_t i = 0; i < sizeof SUFFIXES / sizeof *SUFFIXES; i++) {
        struct str end = str_of(SUFFIXES[i]);
        if (!str_ends(rest, end) || rest.n <= end.n + 1)
            continue;
        if (rest.p[0] == '.' || rest.p[0] == '-')
            return str_make(rest.p + 1, rest.n - end.n - 1);
    }
    return STR("");
}

static void find_region(const struct s3 *s, const struct s3_request *r, struct buf *out)
{
    struct buf host;
    struct str body = buf_view(&r->http.body);
    buf_add_str(out, http_header(&r->http, "x-amz-bucket-region"));
    if (out->len == 0 && !xml_text(body, "Region", out))
        buf_clear(out);
    buf_init(&host, TEXT_MAX);
    if (out->len == 0 && xml_text(body, "Endpoint", &host))
        buf_add_str(out, region_of_host(s, buf_view(&host)));
    buf_release(&host);
}

/* What the service said instead of a region. */
static enum rc refuse(const struct s3 *s, const struct s3_request *r, struct err *err)
{
    struct str to = http_header(&r->http, "location");
    (void)err_set(err, RC_SOURCE, "%s: %ld %s: bucket \"%.*s\" is elsewhere%s%.*s", r->op,
                  r->failure.status, r->failure.name[0] ? r->failure.name : "redirect",
                  STR_FMT(s->config.bucket), to.n ? ", it is said: " : "",
                  (int)(to.n < 200 ? to.n : 200), to.n ? to.p : "");
    return err_hint(err, "credentials are not sent to a host that somebody names: give the "
                         "bucket's region with ?region=NAME, or its host with ?endpoint=URL");
}

enum rc s3_move(struct s3 *s, struct s3_request *r, struct err *err)
{
    struct buf region;
    if (!is_elsewhere(r))
        return RC_NONE;
    buf_init(&region, TEXT_MAX);
    find_region(s, r, &region);
    bool same = strcmp(buf_cstr(&region), s->sites[r->site].region) == 0;
    enum rc rc = RC_OK;
    if (r->failure.status == 400 && (region.len == 0 || same)) {
        rc = RC_NONE; /* wrong in another way */
    } else if (!is_region(buf_view(&region)) || same || r->moves >= MOVES_MAX) {
        rc = refuse(s, r, err);
    } else {
        r->moves++;
        (void)pthread_mutex_lock(&s->mu);
        rc = s3_site_use(s, buf_cstr(&region), err);
        (void)pthread_mutex_unlock(&s->mu);
    }
    buf_release(&region);
    return rc;
}
