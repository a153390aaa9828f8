/* SPDX-License-Identifier: MIT */
/*
 * The host of a bucket. In AWS it is the region's, with the bucket's name in front where TLS
 * allows it: the certificate's wildcard covers no dots. A host that was given keeps its name, and
 * a region only changes what is signed.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 */
#include <stdio.h>

#include "pipeline/aws/s3/s3.h"

static const char FIRST_REGION[] = "us-east-1"; /* asked where no region is set */
enum { BASE_MAX = 2048, DNS_LABEL = 63 };

/* Small letters, digits and hyphens: one label of a host name. */
static bool is_label(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-')
            return false;
    }
    return s.n > 0 && s.n <= DNS_LABEL;
}

static bool in_host(const struct s3 *s)
{
    if (s->config.style != S3_STYLE_BY_NAME)
        return s->config.style == S3_STYLE_VIRTUAL;
    return !s->custom && is_label(s->config.bucket);
}

static void write_base(const struct s3 *s, struct str url, struct buf *out)
{
    struct str bucket = s->config.bucket;
    size_t host = str_find(url, STR("://"), 0) + 3;
    buf_add_str(out, str_make(url.p, host));
    if (in_host(s))
        buf_addf(out, "%.*s.", STR_FMT(bucket));
    buf_add_str(out, str_from(url, host));
    if (!str_ends(url, STR("/")))
        buf_putc(out, '/');
    if (!in_host(s))
        buf_addf(out, "%.*s/", STR_FMT(bucket));
}

static enum rc find_endpoint(struct s3 *s, const char *region, struct endpoint *out,
                             struct err *err)
{
    struct http_url parts;
    const char *given = s->config.endpoint;
    if (!given)
        return endpoint_resolve(s->config.settings, AWS_S3, region, out, err);
    *out = (struct endpoint){.custom = true};
    if (!http_url_split(str_of(given), &parts) || parts.query.n ||
        strlen(given) >= sizeof out->url) {
        (void)err_set(err, RC_USAGE, "\"%s\" is no endpoint", given);
        return err_hint(err, "an endpoint looks like http://localhost:9000 or "
                             "https://host/path");
    }
    (void)snprintf(out->url, sizeof out->url, "%s", given);
    (void)snprintf(out->signing_region, sizeof out->signing_region, "%s", region);
    return RC_OK;
}

enum rc s3_site_use(struct s3 *s, const char *region, struct err *err)
{
    struct endpoint endpoint;
    for (unsigned i = 0; i < s->n_sites; i++) {
        if (strcmp(s->sites[i].region, region) == 0) {
            s->site = i;
            return RC_OK;
        }
    }
    if (s->n_sites == S3_SITES) {
        return err_set(err, RC_SOURCE, "bucket \"%.*s\" is sent from region to region",
                       STR_FMT(s->config.bucket));
    }
    if (!region[0])
        region = FIRST_REGION;
    enum rc rc = find_endpoint(s, region, &endpoint, err);
    if (rc)
        return rc;
    struct s3_site *site = &s->sites[s->n_sites];
    s->custom = endpoint.custom;
    (void)snprintf(site->region, sizeof site->region, "%s", region);
    buf_init(&site->base, BASE_MAX);
    write_base(s, str_of(endpoint.url), &site->base);
    rc = buf_check(&site->base, err);
    if (rc) {
        buf_release(&site->base);
        return rc;
    }
    signer_init(&site->signer, s->config.provider, endpoint.signing_region, "s3");
    s->site = s->n_sites++;
    return RC_OK;
}
