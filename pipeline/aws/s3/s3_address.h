/* SPDX-License-Identifier: MIT */
/*
 * "s3://BUCKET/KEY?region=NAME&endpoint=URL&profile=NAME&style=path|virtual": the address of an
 * object, or of all whose keys begin so. A "?" of a key is written %3F and a "%" that might be
 * taken for it %25; all else of a key stands as it is.
 */
#ifndef AWS_S3_ADDRESS_H
#define AWS_S3_ADDRESS_H

#include "pipeline/base/arena.h"
#include "pipeline/base/err.h"

enum s3_style {
    S3_STYLE_BY_NAME, /* virtual host where the bucket's name allows it and the host is AWS's */
    S3_STYLE_PATH,
    S3_STYLE_VIRTUAL
};

struct s3_address {
    struct str bucket, key;
    const char *region, *endpoint, *profile; /* NULL: not said */
    enum s3_style style;
};

/* Copies into the arena. RC_USAGE says what would be right. */
enum rc s3_address_read(const char *word, struct arena *a, struct s3_address *out,
                        struct err *err) MUST_CHECK;

/* RC_USAGE: no bucket has such a name, or none that can be read here. */
enum rc s3_address_bucket(struct str name, struct err *err) MUST_CHECK;

#endif
