/* SPDX-License-Identifier: MIT */
/*
 * Who calls which region by which address: options of the command line first, then the
 * environment, then the profile. Filled once at the start, then only read: any thread may.
 */
#ifndef AWS_SETTINGS_H
#define AWS_SETTINGS_H

#include "pipeline/aws/config.h"
#include "pipeline/aws/http/http.h"
#include "pipeline/aws/sign/clock_skew.h"

/* What the command line or the source's address says; NULL where it says nothing. Borrowed. */
struct aws_options {
    const char *profile;
    const char *region;
    const char *endpoint; /* of DynamoDB */
    const char *ca_bundle;
    /* Asks the person at the terminal for a line; RC_NONE: there is none. NULL: there is none. */
    enum rc (*ask)(const char *prompt, struct buf *answer, struct err *err);
    /* Hears of what is set twice, or wrongly, and how it was taken: a line without its end. NULL:
     * nobody does. */
    void (*tell)(const char *line);
    const atomic_bool *stop; /* ends what blocks; NULL: nobody can */
};

struct aws_settings {
    const struct env *env;
    const struct vars *vars;
    struct aws_options options;
    struct aws_config config;
    char profile[256];
    bool profile_explicit; /* by option: environment keys do not count */
    char region[64];
    bool fips, dualstack;
    char ca_bundle[1024];    /* "" : the system's */
    struct http_config http; /* for calls to AWS services */
    struct clock_skew *skew; /* of all services' clocks, learned by whoever calls one */
};

/* Reads files and variables. The region may ask the instance metadata; it may stay empty. */
enum rc aws_settings_init(struct aws_settings *s, const struct aws_options *options,
                          const struct vars *vars, const struct env *env,
                          struct err *err) MUST_CHECK;
void aws_settings_release(struct aws_settings *s);

/* thread: any. The time as the services have it, in microseconds since 1970. */
int64_t aws_settings_now(const struct aws_settings *s);

/* The profile's setting; n = 0: none. Borrowed. */
struct str aws_settings_get(const struct aws_settings *s, const char *key);

/* RC_USAGE with a hint when no region is known. */
enum rc aws_settings_need_region(const struct aws_settings *s, struct err *err) MUST_CHECK;

enum aws_service { AWS_DYNAMODB, AWS_STREAMS, AWS_STS, AWS_SSO, AWS_SSO_OIDC, AWS_S3 };

struct endpoint {
    char url[1024]; /* scheme, host, port and path; ends in "/" if there is no path */
    char signing_region[64];
    bool custom; /* given by the user, not derived from the region */
};

/* The service's address in `region` (NULL: the settings' own). */
enum rc endpoint_resolve(const struct aws_settings *s, enum aws_service service,
                         const char *region, struct endpoint *out, struct err *err) MUST_CHECK;

/* The derived host alone: no options, no overrides. */
enum rc endpoint_host(enum aws_service service, struct str region, bool fips, bool dualstack,
                      struct buf *out, struct err *err) MUST_CHECK;

#endif
