/* SPDX-License-Identifier: MIT */
/*
 * Hosts by rule: partition from the region's prefix, service and variant from a table. A
 * region nobody has heard of yet gets the rules of its prefix, so new regions need no new
 * version. Addresses given by the user win, most specific first.
 */
#include <stdio.h>

#include "pipeline/aws/settings.h"

struct partition {
    const char *prefix, *name, *suffix, *dual_suffix;
};

/* Longer prefixes first; the last one takes all. */
static const struct partition partitions[] = {
    {"us-gov-", "aws-us-gov", "amazonaws.com", "api.aws"},
    {"us-isob-", "aws-iso-b", "sc2s.sgov.gov", "api.aws.scloud"},
    {"us-isof-", "aws-iso-f", "csp.hci.ic.gov", "api.aws.hci.ic.gov"},
    {"us-iso-", "aws-iso", "c2s.ic.gov", "api.aws.ic.gov"},
    {"eu-isoe-", "aws-iso-e", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk"},
    {"eusc-", "aws-eusc", "amazonaws.eu", "api.amazonwebservices.eu"},
    {"cn-", "aws-cn", "amazonaws.com.cn", "api.amazonwebservices.com.cn"},
    {"", "aws", "amazonaws.com", "api.aws"},
};

struct service {
    const char *variable; /* AWS_ENDPOINT_URL_... */
    const char *section;  /* of a services section */
    const char *plain, *fips, *dual, *fips_dual;
    bool gov_fips_is_plain;
};

static const struct service services[] = {
    [AWS_DYNAMODB] = {"AWS_ENDPOINT_URL_DYNAMODB", "dynamodb", "dynamodb", "dynamodb-fips",
                      "dynamodb", "dynamodb-fips", true},
    [AWS_STREAMS] = {"AWS_ENDPOINT_URL_DYNAMODB_STREAMS", "dynamodb_streams",
                     "streams.dynamodb", "streams.dynamodb-fips", "streams-dynamodb",
                     "streams-dynamodb-fips", true},
    [AWS_STS] = {"AWS_ENDPOINT_URL_STS", "sts", "sts", "sts-fips", "sts", "sts-fips", true},
    [AWS_SSO] = {"AWS_ENDPOINT_URL_SSO", "sso", "portal.sso", "portal.sso-fips", "portal.sso",
                 "portal.sso-fips", false},
    [AWS_SSO_OIDC] = {"AWS_ENDPOINT_URL_SSO_OIDC", "sso_oidc", "oidc", "oidc-fips", "oidc",
                      "oidc-fips", false},
    [AWS_S3] = {"AWS_ENDPOINT_URL_S3", "s3", "s3", "s3-fips", "s3.dualstack",
                "s3-fips.dualstack", false},
};

static const struct partition *partition_of(struct str region)
{
    const struct partition *p = partitions;
    while (!str_starts(region, str_of(p->prefix)))
        p++;
    return p;
}

static bool is_region(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'))
            return false;
    }
    return s.n > 0;
}

enum rc endpoint_host(enum aws_service service, struct str region, bool fips, bool dualstack,
                      struct buf *out, struct err *err)
{
    const struct service *s = &services[service];
    if (!is_region(region))
        return err_set(err, RC_USAGE, "\"%.*s\" is no region", STR_FMT(region));
    const struct partition *p = partition_of(region);
    if (fips && !dualstack && s->gov_fips_is_plain && strcmp(p->name, "aws-us-gov") == 0)
        fips = false; /* GovCloud's plain hosts are validated */
    const char *label =
        fips ? (dualstack ? s->fips_dual : s->fips) : (dualstack ? s->dual : s->plain);
    /* S3 says dual-stack in the label and keeps the plain suffix */
    bool dual_suffix = dualstack && service != AWS_S3;
    buf_addf(out, "%s.%.*s.%s", label, STR_FMT(region),
             dual_suffix ? p->dual_suffix : p->suffix);
    return buf_check(out, err);
}

static struct str given_by_profile(const struct aws_settings *s, const struct service *service)
{
    struct str section = aws_settings_get(s, "services");
    struct str url = STR("");
    if (section.n) {
        url = aws_config_nested(&s->config, AWS_SERVICES, section, service->section,
                                "endpoint_url");
    }
    return url.n ? url : aws_settings_get(s, "endpoint_url");
}

/* The address the user gave, or empty. */
static struct str given(const struct aws_settings *s, enum aws_service which)
{
    const struct service *service = &services[which];
    if (which == AWS_DYNAMODB && s->options.endpoint)
        return str_of(s->options.endpoint);
    struct str ignore = aws_settings_get(s, "ignore_configured_endpoint_urls");
    if (vars_flag(s->vars, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") || str_is(ignore, "true"))
        return STR("");
    const char *url = vars_get(s->vars, service->variable);
    if (!url)
        url = vars_get(s->vars, "AWS_ENDPOINT_URL");
    return url ? str_of(url) : given_by_profile(s, service);
}

static enum rc set_url(struct endpoint *out, struct str url, struct err *err)
{
    struct http_url parts;
    if (!http_url_split(url, &parts) || parts.query.n || url.n + 2 > sizeof out->url) {
        (void)err_set(err, RC_USAGE, "\"%.*s\" is no endpoint", STR_FMT(url));
        return err_hint(err, "an endpoint looks like http://localhost:8000 or "
                             "https://host/path");
    }
    (void)snprintf(out->url, sizeof out->url, "%.*s%s", STR_FMT(url), parts.path.n ? "" : "/");
    return RC_OK;
}

enum rc endpoint_resolve(const struct aws_settings *s, enum aws_service service,
                         const char *region, struct endpoint *out, struct err *err)
{
    *out = (struct endpoint){0};
    const char *where = region ? region : s->region;
    struct str url = given(s, service);
    out->custom = url.n > 0;
    if (!out->custom && strcmp(where, "local") == 0)
        url = STR("http://localhost:8000");
    bool local = strcmp(where, "local") == 0;
    (void)snprintf(out->signing_region, sizeof out->signing_region, "%s",
                   local ? "us-east-1" : where);
    if (url.n)
        return set_url(out, url, err);
    struct buf host;
    buf_init(&host, 512);
    buf_puts(&host, "https://");
    enum rc rc = endpoint_host(service, str_of(where), s->fips, s->dualstack, &host, err);
    if (!rc)
        rc = set_url(out, buf_view(&host), err);
    buf_release(&host);
    return rc;
}
