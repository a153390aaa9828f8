/* SPDX-License-Identifier: MIT */
/* One row per action; most are a fixed error or a few fields of the reply. */
#include "tests/sim/act.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "tests/sim/act_s3.h"
#include "tests/sim/mem.h"
#include "tests/sim/sim.h"

static void act_error(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    const struct fault_action *a = rule->action;
    reply_error(r, rule->status ? (int)rule->status : a->status,
                rule->error ? rule->error : a->error,
                rule->message ? rule->message : a->message, NULL);
    if (rule->retry_after_ms)
        buf_addf(&r->headers, "x-amz-retry-after: %lld\r\n", (long long)rule->retry_after_ms);
}

static void act_throttle(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    char extra[512];
    (void)snprintf(
        extra, sizeof extra, "\"ThrottlingReasons\":[{\"reason\":\"%s\",\"resource\":\"%s\"}]",
        rule->reason ? rule->reason : "TableReadProvisionedThroughputExceeded", s->arn);
    act_error(s, rule, r);
    if (r->body.len)
        r->body.len--;
    buf_addf(&r->body, ",%s}", extra);
}

static void act_reset(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    r->silent = true;
    r->end = REPLY_RESET;
}

static void act_stall(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    r->silent = true;
    r->end = REPLY_STALL;
}

static void act_close(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    r->silent = true;
    r->end = REPLY_CLOSE;
}

static void act_html(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    act_error(s, rule, r);
    buf_clear(&r->body);
    buf_puts(&r->body, rule->value ? rule->value
                                   : "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n"
                                     "<body><h1>502 Bad Gateway</h1></body>\r\n</html>\r\n");
    r->content_type = "text/html";
    r->crc_off = true;
}

/* Enough blanks to pass any sane limit on an answer. */
static void act_oversized(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    buf_clear(&r->body);
    r->shared = str_make(NULL, 0);
    buf_puts(&r->body, "{\"Items\":[");
    r->filler = rule->bytes ? (uint64_t)rule->bytes : UINT64_C(1) << 30;
    r->crc_off = true;
    r->end = REPLY_CLOSE;
}

static uint64_t half(const struct reply *r)
{
    return (r->shared.n + r->body.len) / 2;
}

static void cut(const struct fault_rule *rule, struct reply *r, enum reply_end end)
{
    r->send_max = rule->bytes ? (uint64_t)rule->bytes : half(r);
    r->end = end;
}

static void act_reset_in_body(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    cut(rule, r, REPLY_RESET);
}

static void act_truncate(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    cut(rule, r, REPLY_CLOSE);
}

static void act_stall_in_body(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    cut(rule, r, REPLY_STALL);
}

static void act_reset_after_body(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    r->end = REPLY_RESET;
}

static void act_close_after_body(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    r->end = REPLY_CLOSE;
}

static uint32_t body_crc(const struct reply *r)
{
    return (uint32_t)crc32_z(0, (const Bytef *)r->body.p, r->body.len);
}

/* Wrong crc: one letter differs and the JSON stays whole, so that only the crc can tell.
   Right crc: the text is broken, so that only the parser can tell. */
static void act_corrupt(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    reply_own(r);
    uint32_t original = body_crc(r);
    size_t at = r->body.len / 2;
    char *p = r->body.p;
    if (rule->right_crc) {
        memset(p + at, 1, r->body.len - at < 8 ? r->body.len - at : 8);
        return;
    }
    while (at < r->body.len && !(p[at] >= 'a' && p[at] <= 'y' && at && p[at - 1] >= 'a'))
        at++;
    if (at == r->body.len)
        at = r->body.len / 2;
    p[at]++;
    r->crc = original;
    r->crc_set = true;
}

static void act_wrong_crc(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    reply_own(r);
    r->crc = body_crc(r) ^ 0x5a5a5a5au;
    r->crc_set = true;
}

static void act_no_crc(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    r->crc_off = true;
}

void act_compress(struct reply *r)
{
    reply_own(r);
    z_stream z = {0};
    if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return;
    struct buf out;
    buf_init(&out, BUF_NO_LIMIT);
    size_t bound = deflateBound(&z, r->body.len);
    if (buf_room(&out, bound)) {
        z.next_in = (Bytef *)r->body.p;
        z.avail_in = (uInt)r->body.len;
        z.next_out = (Bytef *)out.p;
        z.avail_out = (uInt)bound;
        (void)deflate(&z, Z_FINISH);
        out.len = bound - z.avail_out;
    }
    (void)deflateEnd(&z);
    buf_release(&r->body);
    r->body = out;
    r->encoding = "gzip";
    r->crc_set = false;
}

static void act_gzip(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    act_compress(r);
}

static void act_gzip_lie(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    (void)rule;
    r->encoding = "gzip";
}

static void act_drip(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    r->drip_bytes = rule->bytes ? (uint64_t)rule->bytes : 1000;
    r->drip_us = (rule->ms ? rule->ms : 10) * 1000;
}

static void act_delay(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    r->delay_us += (rule->ms ? rule->ms : 1000) * 1000;
}

static void act_content_type(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)s;
    r->content_type = rule->value ? rule->value : "text/plain";
}

/* The body's last member is LastEvaluatedKey, if there is one. */
static void act_last_key(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    const struct str name = STR(",\"LastEvaluatedKey\":");
    (void)s;
    reply_own(r);
    size_t end = r->body.len ? r->body.len - 1 : 0;
    struct str body = buf_view(&r->body);
    for (size_t at = str_find(body, name, 0); at < body.n; at = str_find(body, name, at + 1))
        end = at;
    r->body.len = end;
    buf_add_str(&r->body, name);
    buf_puts(&r->body, rule->value ? rule->value : "[]");
    buf_putc(&r->body, '}');
    r->crc_set = false;
}

static void act_empty_page(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)rule;
    (void)r;
    s->empty_page = true;
}

static void act_skew(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)r;
    s->skew_us = rule->seconds * 1000000;
    if (rule->error && strcmp(rule->error, "RequestTimeTooSkewed") == 0)
        s->auth.skew_error = "RequestTimeTooSkewed";
}

static void act_delete(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)rule;
    (void)r;
    s->deleted = true;
}

static void act_recreate(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)rule;
    (void)r;
    s->deleted = false;
    s->incarnation++;
}

/* Somebody else writes: `value` is the item, or the key of one that goes. */
static void act_write(struct sim *s, const struct fault_rule *rule, bool put)
{
    struct err err = {0};
    struct table_key key = {0};
    bool found = false;
    struct str text = str_of(rule->value);
    yyjson_doc *doc = yyjson_read(text.p, text.n, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct item *it = put ? table_item(&s->table, root, &err) : NULL;
    if (it) {
        table_put(&s->table, it);
    } else if (!put && table_key_read(&s->table, root, &key)) {
        size_t at = table_find(&s->table, &key, &found);
        if (found)
            table_remove(&s->table, at);
    }
    table_key_release(&key);
    yyjson_doc_free(doc);
}

static void act_put_item(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)r;
    act_write(s, rule, true);
}

static void act_delete_item(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)r;
    act_write(s, rule, false);
}

static void act_capacity(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    (void)r;
    sim_resize(s, rule->rcu, rule->wcu, rule->partition_rcu, rule->partition_wcu);
}

static void act_on_demand(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    s->opt.on_demand = true;
    act_capacity(s, rule, r);
}

static void act_provisioned(struct sim *s, const struct fault_rule *rule, struct reply *r)
{
    s->opt.on_demand = false;
    act_capacity(s, rule, r);
}

#define SLOW_DOWN                                                                              \
    "The level of configured provisioned throughput for the table was exceeded. Consider "     \
    "increasing your provisioning level with the UpdateTable API."

static const struct fault_action actions[] = {
    {"throttle", act_throttle, ACT_INSTEAD, 400, "ProvisionedThroughputExceededException",
     SLOW_DOWN},
    {"error", act_error, ACT_INSTEAD, 400, "ValidationException", "made to fail"},
    {"500", act_error, ACT_INSTEAD, 500, "InternalServerError",
     "The request failed on the server"},
    {"503", act_error, ACT_INSTEAD, 503, "ServiceUnavailableException",
     "Service is unavailable"},
    {"expired-token", act_error, ACT_INSTEAD, 400, "ExpiredTokenException",
     "The security token included in the request is expired"},
    {"refused", act_error, ACT_INSTEAD, 400, "UnrecognizedClientException",
     "The security token included in the request is invalid."},
    {"access-denied", act_error, ACT_INSTEAD, 400, "AccessDeniedException",
     "User: arn:aws:iam::000000000000:user/sim is not authorized to perform this action "
     "because no "
     "identity-based policy allows it"},
    {"too-large", act_error, ACT_INSTEAD, 413, "RequestEntityTooLargeException",
     "Request entity is too large"},
    {"html", act_html, ACT_INSTEAD, 502, "proxy", ""},
    {"oversized", act_oversized, ACT_INSTEAD, 200, NULL, NULL},
    {"reset-before", act_reset, ACT_INSTEAD, 0, NULL, NULL},
    {"close-before", act_close, ACT_INSTEAD, 0, NULL, NULL},
    {"stall", act_stall, ACT_INSTEAD, 0, NULL, NULL},
    {"reset-after", act_reset, ACT_AFTER, 0, NULL, NULL},
    {"reset-in-body", act_reset_in_body, ACT_AFTER, 0, NULL, NULL},
    {"reset-after-body", act_reset_after_body, ACT_AFTER, 0, NULL, NULL},
    {"close-after-body", act_close_after_body, ACT_AFTER, 0, NULL, NULL},
    {"truncate", act_truncate, ACT_AFTER, 0, NULL, NULL},
    {"stall-in-body", act_stall_in_body, ACT_AFTER, 0, NULL, NULL},
    {"corrupt", act_corrupt, ACT_AFTER, 0, NULL, NULL},
    {"wrong-crc", act_wrong_crc, ACT_AFTER, 0, NULL, NULL},
    {"no-crc", act_no_crc, ACT_AFTER, 0, NULL, NULL},
    {"gzip", act_gzip, ACT_AFTER, 0, NULL, NULL},
    {"gzip-lie", act_gzip_lie, ACT_AFTER, 0, NULL, NULL},
    {"drip", act_drip, ACT_AFTER, 0, NULL, NULL},
    {"delay", act_delay, ACT_AFTER, 0, NULL, NULL},
    {"content-type", act_content_type, ACT_AFTER, 0, NULL, NULL},
    {"last-key", act_last_key, ACT_AFTER, 0, NULL, NULL},
    {"empty-page", act_empty_page, ACT_STATE, 0, NULL, NULL},
    {"skew", act_skew, ACT_STATE, 0, NULL, NULL},
    {"delete-table", act_delete, ACT_STATE, 0, NULL, NULL},
    {"recreate-table", act_recreate, ACT_STATE, 0, NULL, NULL},
    {"put-item", act_put_item, ACT_STATE, 0, NULL, NULL},
    {"delete-item", act_delete_item, ACT_STATE, 0, NULL, NULL},
    {"resize", act_capacity, ACT_STATE, 0, NULL, NULL},
    {"on-demand", act_on_demand, ACT_STATE, 0, NULL, NULL},
    {"provisioned", act_provisioned, ACT_STATE, 0, NULL, NULL},
};

const struct fault_action *act_find(struct str name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (str_is(name, actions[i].name))
            return &actions[i];
    }
    return act_s3_find(name);
}
