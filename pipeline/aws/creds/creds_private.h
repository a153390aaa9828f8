/* SPDX-License-Identifier: MIT */
/* What the providers of this folder share. */
#ifndef AWS_CREDS_PRIVATE_H
#define AWS_CREDS_PRIVATE_H

#include "pipeline/aws/creds/creds.h"

/* A provider that keeps nothing but the settings, which it borrows. */
struct creds_from_settings {
    struct creds_provider base;
    const struct aws_settings *settings;
};

typedef enum rc creds_get_fn(struct creds_provider *p, struct creds *out, struct err *err);

/* Returns a provider (owned, creds_free) whose get finds the settings by creds_settings; NULL
   when out of memory. */
struct creds_provider *creds_from_settings_new(const char *name, creds_get_fn *get,
                                               const struct aws_settings *s);

static inline const struct aws_settings *creds_settings(const struct creds_provider *p)
{
    return ((const struct creds_from_settings *)p)->settings;
}

/* Reads a token from a file, but for the characters of trim at its end, up to half of what out
   may hold. what names the file in the error. */
enum rc creds_token_file(const char *path, const char *what, const char *trim, struct buf *out,
                         struct err *err) MUST_CHECK;

#endif
