/* SPDX-License-Identifier: MIT */
/* What S3, or something on the way to it, has been seen to do. */
#include "tests/sim/act_s3.h"

#include <stdio.h>

#include "tests/sim/s3.h"
#include "tests/sim/sim.h"

static const char *said(const struct fault_rule *rule, const char *otherwise)
{
    return rule->value ? rule->value : otherwise;
}

static void act_error(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    const struct fault_action *a = rule->action;
    reply_error(r, rule->status ? (int)rule->status : a->status, a->error, a->message, NULL);
}

/* `value`: the region, in a header. */
static void act_redirect(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    act_error(s, rule, r);
    buf_addf(&r->headers, "x-amz-bucket-region: %s\r\n", said(rule, "eu-west-1"));
}

static void add_element(struct reply *r, const char *name, const char *text)
{
    static const struct str end = {"</Error>", 8};
    if (str_ends(buf_view(&r->body), end))
        r->body.len -= end.n;
    buf_addf(&r->body, "<%s>", name);
    s3_add_xml(&r->body, str_of(text));
    buf_addf(&r->body, "</%s></Error>", name);
}

/* `value`: the region, in the body alone. */
static void act_redirect_body(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    act_error(s, rule, r);
    add_element(r, "Region", said(rule, "eu-west-1"));
}

/* `value`: the host that is to be asked instead. */
static void act_redirect_host(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    act_error(s, rule, r);
    add_element(r, "Endpoint", said(rule, "example.com"));
    buf_addf(&r->headers, "Location: http://%s/\r\n", said(rule, "example.com"));
}

static void act_error_in_200(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    reply_error(r, 200, rule->error ? rule->error : "InternalError",
                "We encountered an internal error. Please try again.", NULL);
}

static void act_changed(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)rule, (void)r;
    s->s3_changed = true;
}

static void act_no_ranges(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)rule, (void)r;
    s->s3_no_ranges = true;
}

/* Another file that unpacks to the same: the time in a gzip's head differs, else a letter. */
static void act_wrong_md5(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s, (void)rule;
    reply_own(r);
    bool gzip = str_starts(buf_view(&r->body), STR("\x1f\x8b"));
    if (r->body.len > 8)
        r->body.p[gzip ? 4 : r->body.len / 2] ^= 1;
}

static void begin_list(struct reply *r)
{
    buf_clear(&r->body);
    r->shared = str_make(NULL, 0);
    r->status = 200;
    buf_puts(&r->body, "<ListBucketResult><EncodingType>url</EncodingType>");
}

/* Pages of keys that go on for ever; `value`: what they begin with. */
static void act_endless_list(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    begin_list(r);
    for (int i = 0; i < 1000; i++) {
        buf_addf(&r->body,
                 "<Contents><Key>%s%012llu-%04d.json</Key><ETag>\"e\"</ETag><Size>1</Size>"
                 "<LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>",
                 said(rule, ""), (unsigned long long)s->serial, i);
    }
    buf_addf(&r->body,
             "<IsTruncated>true</IsTruncated><NextContinuationToken>%llu"
             "</NextContinuationToken></ListBucketResult>",
             (unsigned long long)s->serial);
}

static void act_empty_list(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s, (void)rule;
    begin_list(r);
    buf_puts(&r->body, "<IsTruncated>true</IsTruncated><NextContinuationToken>t"
                       "</NextContinuationToken></ListBucketResult>");
}

static void act_xml_bomb(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s, (void)rule;
    begin_list(r);
    buf_clear(&r->body);
    buf_puts(&r->body, "<?xml version=\"1.0\"?><!DOCTYPE l [<!ENTITY a \"aaaaaaaaaaaaaaaa\">");
    for (int c = 'b'; c <= 'k'; c++) {
        buf_addf(&r->body, "<!ENTITY %c \"", c);
        for (int i = 0; i < 16; i++)
            buf_addf(&r->body, "&%c;", c - 1);
        buf_puts(&r->body, "\">");
    }
    buf_puts(&r->body, "]><ListBucketResult><Contents><Key>&k;</Key><Size>1</Size></Contents>"
                       "</ListBucketResult>");
}

static const struct fault_action actions[] = {
    {"slow-down", act_error, ACT_INSTEAD, 503, "SlowDown", "Please reduce your request rate."},
    {"redirect", act_redirect, ACT_INSTEAD, 301, "PermanentRedirect",
     "The bucket you are attempting to access must be addressed using the specified endpoint."},
    {"redirect-body", act_redirect_body, ACT_INSTEAD, 400, "AuthorizationHeaderMalformed",
     "The authorization header is malformed; the region is wrong"},
    {"redirect-host", act_redirect_host, ACT_INSTEAD, 307, "TemporaryRedirect",
     "Please re-send this request to the specified temporary endpoint."},
    {"error-in-200", act_error_in_200, ACT_INSTEAD, 200, NULL, NULL},
    {"changed", act_changed, ACT_STATE, 0, NULL, NULL},
    {"no-ranges", act_no_ranges, ACT_STATE, 0, NULL, NULL},
    {"wrong-md5", act_wrong_md5, ACT_AFTER, 0, NULL, NULL},
    {"endless-list", act_endless_list, ACT_INSTEAD, 0, NULL, NULL},
    {"empty-list", act_empty_list, ACT_INSTEAD, 0, NULL, NULL},
    {"xml-bomb", act_xml_bomb, ACT_INSTEAD, 0, NULL, NULL},
};

const struct fault_action *act_s3_find(struct str name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (str_is(name, actions[i].name))
            return &actions[i];
    }
    return NULL;
}
