/* SPDX-License-Identifier: MIT */
/*
 * What a profile says of credentials, in the order of the SDKs: a role to assume (by the keys
 * of another profile, which may itself assume one), single sign-on, keys, a program. The
 * files are read anew at each refresh, so keys that another program rotates there are seen.
 */
#include <stdlib.h>

#include "pipeline/aws/creds/creds.h"

enum { MAX_CHAIN = 16 };

struct profile {
    struct creds_provider base;
    const struct aws_settings *settings;
    enum creds_part part;
    char name[256];
};

/* One resolution: the files as they are now, and the profiles passed on the way. */
struct profile_visit {
    const struct aws_settings *settings;
    struct aws_config config;
    struct str seen[MAX_CHAIN];
    size_t n_seen;
};

static struct str get_key(const struct profile_visit *w, struct str profile, const char *key)
{
    return aws_config_get(&w->config, AWS_PROFILE, profile, key);
}

static enum rc keys_of(const struct profile_visit *w, bool credentials, struct str profile,
                       struct creds *out, struct err *err)
{
    struct str id = aws_config_get_from(&w->config, credentials, profile, "aws_access_key_id");
    struct str secret =
        aws_config_get_from(&w->config, credentials, profile, "aws_secret_access_key");
    struct str token =
        aws_config_get_from(&w->config, credentials, profile, "aws_session_token");
    if (!token.n) /* its name before 2013 */
        token = aws_config_get_from(&w->config, credentials, profile, "aws_security_token");
    if (!id.n && !secret.n)
        return err_set(err, RC_NONE, "no keys");
    return creds_set(out, id, secret, token, "profile", err);
}

/* All but roles. */
static enum rc rest_of(const struct profile_visit *w, struct str profile, struct creds *out,
                       struct err *err)
{
    enum rc rc = creds_sso_get(w->settings, &w->config, profile, out, err);
    if (rc == RC_NONE)
        rc = keys_of(w, true, profile, out, err);
    struct str command = get_key(w, profile, "credential_process");
    if (rc == RC_NONE && get_key(w, profile, "login_session").n && !command.n) {
        (void)err_set(err, RC_AUTH, "profile \"%.*s\": login_session is not supported",
                      STR_FMT(profile));
        return err_hint(err,
                        "add: credential_process = aws configure export-credentials "
                        "--profile %.*s --format process",
                        STR_FMT(profile));
    }
    if (rc == RC_NONE && command.n)
        rc = creds_process_get(w->settings, command, out, err);
    if (rc == RC_NONE)
        rc = keys_of(w, false, profile, out, err);
    if (rc == RC_NONE)
        rc = err_set(err, RC_NONE, "\"%.*s\" names none", STR_FMT(profile));
    return rc;
}

static enum rc from_source(const struct profile_visit *w, struct str source, struct creds *out,
                           struct err *err)
{
    struct creds_provider *p = NULL;
    if (str_is(source, "Environment")) {
        p = creds_env_new(w->settings);
    } else if (str_is(source, "Ec2InstanceMetadata")) {
        p = creds_imds_new(w->settings);
    } else if (str_is(source, "EcsContainer")) {
        p = creds_container_new(w->settings);
    } else {
        return err_set(err, RC_AUTH, "credential_source \"%.*s\" is unknown", STR_FMT(source));
    }
    enum rc rc = p ? creds_get(p, out, err) : err_nomem(err);
    creds_free(p);
    if (rc == RC_NONE)
        rc = err_set(err, RC_AUTH, "credential_source %.*s: nothing there", STR_FMT(source));
    return rc;
}

static enum rc role_of(struct profile_visit *w, struct str profile, struct creds *out,
                       struct err *err);

/* The credentials that may assume the role. */
static enum rc base_of(struct profile_visit *w, struct str profile, struct creds *out,
                       struct err *err)
{
    struct str source = get_key(w, profile, "source_profile");
    struct str other = get_key(w, profile, "credential_source");
    if ((source.n > 0) == (other.n > 0)) {
        return err_set(err, RC_AUTH,
                       "profile \"%.*s\": role_arn needs one of source_profile and "
                       "credential_source",
                       STR_FMT(profile));
    }
    if (other.n)
        return from_source(w, other, out, err);
    if (!aws_config_has(&w->config, AWS_PROFILE, source)) {
        return err_set(err, RC_AUTH, "profile \"%.*s\": there is no source_profile \"%.*s\"",
                       STR_FMT(profile), STR_FMT(source));
    }
    enum rc rc = RC_NONE;
    if (!str_eq(source, profile)) /* its own keys are meant */
        rc = role_of(w, source, out, err);
    if (rc == RC_NONE)
        rc = rest_of(w, source, out, err);
    if (rc == RC_NONE)
        rc = err_set(err, RC_AUTH, "profile \"%.*s\" has no credentials", STR_FMT(source));
    return rc;
}

static enum rc note_profile(struct profile_visit *w, struct str profile, struct err *err)
{
    for (size_t i = 0; i < w->n_seen; i++) {
        if (str_eq(w->seen[i], profile)) {
            return err_set(err, RC_AUTH, "profile \"%.*s\": source_profile goes in a circle",
                           STR_FMT(profile));
        }
    }
    if (w->n_seen == MAX_CHAIN)
        return err_set(err, RC_AUTH, "more than %d profiles in a chain", MAX_CHAIN);
    w->seen[w->n_seen++] = profile;
    return RC_OK;
}

static enum rc assume(struct profile_visit *w, struct str profile,
                      const struct creds_role *role, struct creds *out, struct err *err)
{
    struct creds base;
    creds_init(&base);
    struct creds_role with_code = *role;
    struct buf code;
    buf_init(&code, 64);
    enum rc rc = note_profile(w, profile, err);
    if (!rc)
        rc = base_of(w, profile, &base, err);
    if (!rc && role->mfa_serial.n)
        rc = creds_mfa_ask(w->settings, profile, role->mfa_serial, &code, err);
    with_code.mfa_code = buf_view(&code);
    if (!rc)
        rc = creds_role_get(w->settings, &with_code, &base, out, err);
    creds_release(&base);
    buf_wipe(&code);
    return rc;
}

static enum rc role_of(struct profile_visit *w, struct str profile, struct creds *out,
                       struct err *err)
{
    struct creds_role role = {
        .role_arn = get_key(w, profile, "role_arn"),
        .session_name = get_key(w, profile, "role_session_name"),
        .external_id = get_key(w, profile, "external_id"),
        .duration = get_key(w, profile, "duration_seconds"),
        .web_token_file = get_key(w, profile, "web_identity_token_file"),
        .mfa_serial = get_key(w, profile, "mfa_serial"),
    };
    if (!role.role_arn.n)
        return err_set(err, RC_NONE, "no role_arn");
    if (role.web_token_file.n)
        return creds_web_get(w->settings, &role, out, err);
    return assume(w, profile, &role, out, err);
}

static enum rc get(struct creds_provider *p, struct creds *out, struct err *err)
{
    struct profile *self = (struct profile *)p;
    struct profile_visit w = {.settings = self->settings};
    aws_config_init(&w.config);
    struct str name = str_of(self->name);
    enum rc rc = aws_config_load(&w.config, self->settings->vars, err);
    if (!rc)
        rc = RC_NONE;
    if (rc == RC_NONE && self->part != CREDS_PROFILE_REST)
        rc = role_of(&w, name, out, err);
    if (rc == RC_NONE && self->part != CREDS_PROFILE_ROLE)
        rc = rest_of(&w, name, out, err);
    aws_config_release(&w.config);
    return rc;
}

static void release(struct creds_provider *p)
{
    free(p);
}

struct creds_provider *creds_profile_new(const struct aws_settings *s, const char *profile,
                                         enum creds_part part)
{
    struct profile *p = calloc(1, sizeof *p);
    size_t n = strlen(profile);
    if (!p || n >= sizeof p->name) {
        free(p);
        return NULL;
    }
    const char *label = part == CREDS_PROFILE_ROLE ? "profile's role" : "profile";
    p->base = (struct creds_provider){label, get, release};
    p->settings = s;
    p->part = part;
    memcpy(p->name, profile, n + 1);
    return &p->base;
}
