/* SPDX-License-Identifier: MIT */
/*
 * The token lies in a file that the login command wrote. Shortly before its end it is renewed,
 * if the file says how, and the file is replaced in one step, private as it was: the service
 * may have taken back the old refresh token. A file that cannot be replaced costs a login later,
 * not this run.
 * https://docs.aws.amazon.com/singlesignon/latest/OIDCAPIReference/API_CreateToken.html
 */
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <yyjson.h>

#include "pipeline/aws/aws_error.h"
#include "pipeline/aws/creds/sso.h"
#include "pipeline/base/json.h"
#include "pipeline/base/timefmt.h"

enum { MAX_FILE = 64 * 1024, MAX_PATH = 8192 };

static const int64_t EARLY_US = INT64_C(300) * 1000000;

/* What the file says; views into its text. */
struct cached {
    yyjson_val *root;
    struct str access, refresh, client_id, client_secret;
    int64_t until_us, registered_us;
};

enum rc creds_sso_log_in(const struct creds_sso_session *s, const char *what, struct err *err)
{
    (void)err_set(err, RC_AUTH, "profile \"%.*s\": %s", STR_FMT(s->profile), what);
    return err_hint(err, "run: aws sso login --profile %.*s", STR_FMT(s->profile));
}

static void cache_path(const struct creds_sso_session *s, struct buf *out)
{
    unsigned char hash[SHA_DIGEST_LENGTH];
    (void)SHA1((const unsigned char *)s->cache_key.p, s->cache_key.n, hash);
    const char *home = vars_get(s->settings->vars, "HOME");
    buf_addf(out, "%s/.aws/sso/cache/", home ? home : "");
    for (size_t i = 0; i < sizeof hash; i++)
        buf_addf(out, "%02x", hash[i]);
    buf_puts(out, ".json");
}

static struct str member(yyjson_val *o, const char *name)
{
    yyjson_val *v = yyjson_obj_get(o, name);
    return yyjson_is_str(v) ? str_make(yyjson_get_str(v), yyjson_get_len(v)) : STR("");
}

/* In situ, so that the only copy lies in the buffer, which is wiped. NULL: no JSON. */
static yyjson_doc *parse(struct buf *text)
{
    if (!text->len || !buf_room(text, YYJSON_PADDING_SIZE))
        return NULL;
    memset(text->p + text->len, 0, YYJSON_PADDING_SIZE);
    return yyjson_read_opts(text->p, text->len, YYJSON_READ_INSITU, NULL, NULL);
}

/* ---- the file ------------------------------------------------------------------------------ */

static bool understand(yyjson_val *root, struct cached *c)
{
    *c = (struct cached){.root = root,
                         .access = member(root, "accessToken"),
                         .refresh = member(root, "refreshToken"),
                         .client_id = member(root, "clientId"),
                         .client_secret = member(root, "clientSecret")};
    (void)timefmt_read_iso(member(root, "registrationExpiresAt"), &c->registered_us);
    return c->access.n && timefmt_read_iso(member(root, "expiresAt"), &c->until_us);
}

static void add_time(struct buf *out, int64_t us)
{
    char t[TIMEFMT_AMZ_SIZE];
    timefmt_amz(us, t);
    buf_addf(out, "\"%.4s-%.2s-%.5s:%.2s:%.3s\"", t, t + 4, t + 6, t + 11, t + 13);
}

/* All members as they were, but for the three that a renewal changes. */
static void rewrite(const struct cached *old, const struct cached *renewed, struct buf *out)
{
    size_t i, n;
    yyjson_val *name, *value;
    buf_putc(out, '{');
    yyjson_obj_foreach(old->root, i, n, name, value)
    {
        struct str key = str_make(yyjson_get_str(name), yyjson_get_len(name));
        size_t size = 0;
        char *text = yyjson_is_str(value) ? NULL : yyjson_val_write(value, 0, &size);
        buf_puts(out, i ? "," : "");
        json_add_string(out, key);
        buf_putc(out, ':');
        if (str_is(key, "accessToken")) {
            json_add_string(out, renewed->access);
        } else if (str_is(key, "refreshToken") && renewed->refresh.n) {
            json_add_string(out, renewed->refresh);
        } else if (str_is(key, "expiresAt")) {
            add_time(out, renewed->until_us);
        } else if (yyjson_is_str(value)) {
            json_add_string(out, str_make(yyjson_get_str(value), yyjson_get_len(value)));
        } else {
            buf_puts(out, text ? text : "null");
        }
        free(text);
    }
    buf_putc(out, '}');
}

static void replace(const char *path, struct str text)
{
    char part[MAX_PATH + 32];
    (void)snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
    (void)unlink(part); /* of a process of that number that died */
    int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    bool whole = write(fd, text.p, text.n) == (ssize_t)text.n && fsync(fd) == 0;
    whole = close(fd) == 0 && whole;
    if (!whole || rename(part, path) != 0)
        (void)unlink(part);
}

/* ---- renewing ------------------------------------------------------------------------------ */

static bool is_renewable(const struct cached *c, int64_t now)
{
    return c->refresh.n && c->client_id.n && c->client_secret.n &&
           (c->registered_us == 0 || c->registered_us > now);
}

static void ask_for(const struct cached *c, struct buf *out)
{
    buf_puts(out, "{\"grantType\":\"refresh_token\",\"clientId\":");
    json_add_string(out, c->client_id);
    buf_puts(out, ",\"clientSecret\":");
    json_add_string(out, c->client_secret);
    buf_puts(out, ",\"refreshToken\":");
    json_add_string(out, c->refresh);
    buf_putc(out, '}');
}

static enum rc call_service(const struct creds_sso_session *s, struct str body,
                            struct http_call *call, struct err *err)
{
    struct endpoint at;
    struct buf url, region;
    buf_init(&url, 4096);
    buf_init(&region, 128);
    buf_add_str(&region, s->region);
    enum rc rc = endpoint_resolve(s->settings, AWS_SSO_OIDC, buf_cstr(&region), &at, err);
    if (!rc) {
        buf_addf(&url, "%stoken", at.url);
        rc = buf_check(&url, err);
    }
    struct http_header header = {STR("Content-Type"), STR("application/json")};
    call->method = "POST";
    call->url = buf_cstr(&url);
    call->headers = &header;
    call->n_headers = 1;
    call->send = body;
    if (!rc)
        rc = http_fetch(&s->settings->http, call, err);
    (void)clock_skew_learn(s->settings->skew, call, 0);
    struct aws_failure f;
    aws_error_read(call, &f);
    if (!rc && f.class != AWS_OK)
        rc = aws_error_set(&f, "SSO CreateToken", err);
    buf_release(&region);
    buf_release(&url);
    return rc;
}

static enum rc take_answer(const struct creds_sso_session *s, const struct cached *old,
                           yyjson_val *root, struct buf *token, struct err *err)
{
    yyjson_val *seconds = yyjson_obj_get(root, "expiresIn");
    struct cached renewed = {.access = member(root, "accessToken"),
                             .refresh = member(root, "refreshToken")};
    if (!renewed.access.n || !yyjson_is_int(seconds))
        return err_set(err, RC_AUTH, "SSO CreateToken: the answer has no token");
    renewed.until_us = aws_settings_now(s->settings) + yyjson_get_sint(seconds) * 1000000;
    struct buf text, path;
    buf_init(&text, MAX_FILE);
    buf_init(&path, MAX_PATH);
    (void)buf_room(&text, MAX_FILE / 2); /* it is not moved about, which would leave copies */
    cache_path(s, &path);
    rewrite(old, &renewed, &text);
    if (!text.rc && !path.rc)
        replace(buf_cstr(&path), buf_view(&text));
    buf_wipe(&text);
    buf_release(&path);
    buf_add_str(token, renewed.access);
    return buf_check(token, err);
}

static enum rc renew(const struct creds_sso_session *s, const struct cached *c,
                     struct buf *token, struct err *err)
{
    struct buf body;
    struct http_call call;
    buf_init(&body, MAX_FILE);
    http_call_init(&call);
    (void)buf_room(&body, MAX_FILE / 2);
    ask_for(c, &body);
    enum rc rc = buf_check(&body, err);
    if (!rc)
        rc = call_service(s, buf_view(&body), &call, err);
    if (!rc) {
        yyjson_doc *doc = parse(&call.body);
        rc = take_answer(s, c, yyjson_doc_get_root(doc), token, err);
        yyjson_doc_free(doc);
    }
    if (call.body.p)
        OPENSSL_cleanse(call.body.p, call.body.cap);
    http_call_release(&call);
    buf_wipe(&body);
    return rc;
}

/* A token that is still good stands in for one that could not be had. */
static enum rc choose(const struct creds_sso_session *s, yyjson_val *root, struct buf *token,
                      struct err *err)
{
    struct cached c;
    struct err trouble = {0};
    int64_t now = aws_settings_now(s->settings);
    if (!understand(root, &c))
        return creds_sso_log_in(s, "the cached SSO token cannot be read", err);
    bool renewable = is_renewable(&c, now);
    if (c.until_us - now < EARLY_US && renewable && !renew(s, &c, token, &trouble))
        return RC_OK;
    if (c.until_us <= now &&
        (trouble.rc == RC_TRANSIENT || trouble.rc == RC_THROTTLE || trouble.rc == RC_CANCEL)) {
        *err = trouble;
        return err->rc;
    }
    if (c.until_us <= now && renewable) {
        char what[512];
        (void)snprintf(what, sizeof what,
                       "the SSO session has expired, and is not renewed: %.400s", trouble.msg);
        return creds_sso_log_in(s, what, err);
    }
    if (c.until_us <= now)
        return creds_sso_log_in(s, "the SSO session has expired", err);
    buf_clear(token);
    buf_add_str(token, c.access);
    return buf_check(token, err);
}

enum rc creds_sso_token(const struct creds_sso_session *s, struct buf *token, struct err *err)
{
    struct buf path, text;
    buf_init(&path, MAX_PATH);
    buf_init(&text, (size_t)2 * MAX_FILE);
    cache_path(s, &path);
    (void)buf_room(token, MAX_FILE / 2);
    FILE *f = fopen(buf_cstr(&path), "rbe");
    if (f && buf_room(&text, MAX_FILE + YYJSON_PADDING_SIZE))
        text.len = fread(text.p, 1, MAX_FILE, f);
    if (f)
        (void)fclose(f);
    enum rc rc;
    if (!f) {
        rc = creds_sso_log_in(s, "there is no SSO token", err);
    } else {
        yyjson_doc *doc = text.len < MAX_FILE ? parse(&text) : NULL;
        rc = choose(s, yyjson_doc_get_root(doc), token, err);
        yyjson_doc_free(doc);
    }
    buf_wipe(&text);
    buf_release(&path);
    return rc;
}
