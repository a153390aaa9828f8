/* SPDX-License-Identifier: MIT */
/* yyjson copies strings into its document; that memory is wiped before it is let go. */
#include "pipeline/aws/creds/creds_json.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <yyjson.h>

#include "pipeline/base/timefmt.h"

const struct creds_names creds_names_usual = {"AccessKeyId", "SecretAccessKey", "Token",
                                              "Expiration"};
const struct creds_names creds_names_process = {"AccessKeyId", "SecretAccessKey",
                                                "SessionToken", "Expiration"};

static struct str member(yyjson_val *o, const char *name)
{
    yyjson_val *v = yyjson_obj_get(o, name);
    return yyjson_is_str(v) ? str_make(yyjson_get_str(v), yyjson_get_len(v)) : STR("");
}

static enum rc read_expiry(yyjson_val *root, const char *name, const char *who,
                           struct creds *out, struct err *err)
{
    struct str text = member(root, name);
    yyjson_val *v = yyjson_obj_get(root, name);
    out->expires_us = 0;
    if (yyjson_is_int(v)) { /* SSO counts milliseconds */
        out->expires_us = yyjson_get_sint(v) * 1000;
    } else if (text.n && !timefmt_read_iso(text, &out->expires_us)) {
        return err_set(err, RC_AUTH, "%s: the expiration \"%.*s\" is no date", who,
                       STR_FMT(text));
    }
    return RC_OK;
}

static enum rc read_root(yyjson_val *root, const struct creds_names *names, const char *who,
                         struct creds *out, struct err *err)
{
    yyjson_val *role = yyjson_obj_get(root, "roleCredentials");
    if (role)
        root = role;
    struct str code = member(root, "Code"), message = member(root, "Message");
    if (code.n && !str_is(code, "Success"))
        return err_set(err, RC_AUTH, "%s: %.*s: %.*s", who, STR_FMT(code), STR_FMT(message));
    enum rc rc = creds_set(out, member(root, names->key_id), member(root, names->secret),
                           member(root, names->token), who, err);
    return rc ? rc : read_expiry(root, names->expires, who, out, err);
}

enum rc creds_json_read(struct str json, const struct creds_names *names, const char *who,
                        struct creds *out, struct err *err)
{
    size_t size = yyjson_read_max_memory_usage(json.n, 0);
    char *memory = malloc(size);
    if (!memory)
        return err_nomem(err);
    yyjson_alc alc;
    yyjson_doc *doc = NULL;
    if (json.n && yyjson_alc_pool_init(&alc, memory, size)) {
        /* without the in-situ flag the text is copied, not changed */
        doc = yyjson_read_opts((char *)(uintptr_t)json.p, json.n, 0, &alc, NULL);
    }
    enum rc rc;
    if (yyjson_is_obj(yyjson_doc_get_root(doc))) {
        rc = read_root(yyjson_doc_get_root(doc), names, who, out, err);
    } else {
        rc = err_set(err, RC_AUTH, "%s: the answer is no JSON object (%zu bytes)", who, json.n);
    }
    OPENSSL_cleanse(memory, size);
    free(memory);
    return rc;
}
