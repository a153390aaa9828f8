/* SPDX-License-Identifier: MIT */
/*
 * Credentials and where they come from. Every source is one provider in a file of its own;
 * the chain and the cache are providers too, so the default is a composition:
 * cache(chain(environment, profile, web identity, container, instance metadata)).
 * Providers block; only the cache may be used by several threads. Secrets live in buffers
 * that are wiped, and no message ever holds one.
 */
#ifndef AWS_CREDS_CREDS_H
#define AWS_CREDS_CREDS_H

#include "pipeline/aws/settings.h"
#include "pipeline/base/buf.h"

struct creds {
    struct buf key_id, secret, token; /* token is empty for permanent keys */
    int64_t expires_us;               /* wall clock; 0: never */
    uint64_t version;                 /* of the cache; changes with every refresh */
};

void creds_init(struct creds *c);

/* Wipes. */
void creds_release(struct creds *c);

enum rc creds_copy(struct creds *to, const struct creds *from, struct err *err) MUST_CHECK;

/* Replaces all; RC_AUTH when id or secret is empty. `who` names the source in messages. */
enum rc creds_set(struct creds *c, struct str key_id, struct str secret, struct str token,
                  const char *who, struct err *err) MUST_CHECK;

struct creds_provider {
    const char *name;
    /* RC_OK; RC_NONE: not configured here, ask the next one; else configured, but failed. */
    enum rc (*get)(struct creds_provider *p, struct creds *out, struct err *err);
    void (*free)(struct creds_provider *p);
};

enum rc creds_get(struct creds_provider *p, struct creds *out, struct err *err) MUST_CHECK;
void creds_free(struct creds_provider *p); /* NULL is fine */

/* All borrow the settings, which must outlive them. NULL when out of memory. */
struct creds_provider *creds_static_new(struct str key_id, struct str secret, struct str token);
struct creds_provider *creds_env_new(const struct aws_settings *s);
struct creds_provider *creds_web_new(const struct aws_settings *s);
struct creds_provider *creds_container_new(const struct aws_settings *s);
struct creds_provider *creds_imds_new(const struct aws_settings *s);

/* The two halves of a profile: what assumes a role, and all the rest. The web identity of
 * the environment stands between them. */
enum creds_part { CREDS_PROFILE_ROLE, CREDS_PROFILE_REST, CREDS_PROFILE_ALL };
struct creds_provider *creds_profile_new(const struct aws_settings *s, const char *profile,
                                         enum creds_part part);

/* What a profile names; each is RC_NONE when the profile does not speak of it. */
enum rc creds_process_get(const struct aws_settings *s, struct str command, struct creds *out,
                          struct err *err) MUST_CHECK;
enum rc creds_sso_get(const struct aws_settings *s, const struct aws_config *config,
                      struct str profile, struct creds *out, struct err *err) MUST_CHECK;

struct creds_role {
    struct str role_arn, session_name, external_id, duration, web_token_file;
    struct str mfa_serial, mfa_code; /* empty: none asked for */
};
/* The code of the device that the profile names, from the person at the terminal. */
enum rc creds_mfa_ask(const struct aws_settings *s, struct str profile, struct str serial,
                      struct buf *code, struct err *err) MUST_CHECK;

/* STS AssumeRole, signed by `source`. */
enum rc creds_role_get(const struct aws_settings *s, const struct creds_role *role,
                       const struct creds *source, struct creds *out,
                       struct err *err) MUST_CHECK;
/* STS AssumeRoleWithWebIdentity, unsigned. */
enum rc creds_web_get(const struct aws_settings *s, const struct creds_role *role,
                      struct creds *out, struct err *err) MUST_CHECK;

/* Takes the providers, also on failure: the first that is configured wins. */
struct creds_provider *creds_chain_new(struct creds_provider **providers, size_t n);

/* Takes the inner provider. Its get is thread: any. The skew (NULL: none) is that of the clocks
 * by which credentials expire; borrowed. */
struct creds_provider *creds_cache_new(struct creds_provider *inner, const struct env *env,
                                       struct clock_skew *skew);

/* thread: any. Refreshes early, if it is time, without making others wait. Call it now and
 * then from the main thread; an error here is harmless while the old ones are valid. */
enum rc creds_cache_keep(struct creds_provider *cache, struct err *err) MUST_CHECK;

/* thread: any. Version `version` was refused as expired: the next get refreshes, once. */
void creds_cache_drop(struct creds_provider *cache, uint64_t version);

/* The default composition. NULL when out of memory. */
struct creds_provider *creds_default_new(const struct aws_settings *s);

#endif
