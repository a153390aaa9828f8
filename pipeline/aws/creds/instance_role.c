/* SPDX-License-Identifier: MIT */
/*
 * The role of an EC2 instance. Credentials that come expired (the service itself is in
 * trouble) are used on for a while, as the SDKs do: they mostly still work.
 */
#include <stdio.h>

#include "pipeline/aws/creds/creds_json.h"
#include "pipeline/aws/creds/creds_private.h"
#include "pipeline/aws/creds/imds.h"

enum { MAX_JSON = 65536 };
static const char PATH[] = "/latest/meta-data/iam/security-credentials/";

static void extend(const struct aws_settings *s, struct creds *out)
{
    static const int64_t minute = INT64_C(60) * 1000000;
    int64_t now = aws_settings_now(s);
    int64_t spread = (int64_t)(s->env->rand(s->env->ctx) % (uint64_t)(8 * minute));
    if (out->expires_us && out->expires_us < now + 5 * minute)
        out->expires_us = now + 17 * minute + spread;
}

static enum rc read_role(struct imds *m, struct creds *out, struct err *err)
{
    struct buf role, json;
    buf_init(&role, 512);
    buf_init(&json, MAX_JSON);
    char path[640];
    enum rc rc = imds_get(m, PATH, &role, err);
    if (!rc && role.len == 0)
        rc = err_set(err, RC_NONE, "the instance has no role");
    struct str name = str_make(role.p, str_find(buf_view(&role), STR("\n"), 0));
    (void)snprintf(path, sizeof path, "%s%.*s", PATH, STR_FMT(name));
    if (!rc)
        rc = imds_get(m, path, &json, err);
    if (!rc) {
        rc =
            creds_json_read(buf_view(&json), &creds_names_usual, "instance metadata", out, err);
    }
    buf_wipe(&json);
    buf_release(&role);
    return rc;
}

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    const struct aws_settings *s = creds_settings(p);
    struct imds m;
    enum rc rc = imds_open(&m, s, err);
    if (!rc)
        rc = read_role(&m, out, err);
    if (!rc)
        extend(s, out);
    imds_close(&m);
    return rc;
}

struct creds_provider *creds_imds_new(const struct aws_settings *s)
{
    return creds_from_settings_new("instance metadata", get, s);
}
