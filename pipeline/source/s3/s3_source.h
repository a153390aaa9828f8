/* SPDX-License-Identifier: MIT */
/* The source of items in S3: the file source, on a bucket. */
#ifndef SOURCE_S3_SOURCE_H
#define SOURCE_S3_SOURCE_H

#include "pipeline/item/decoder.h"
#include "pipeline/source/s3/s3_origin.h"
#include "pipeline/source/source.h"

struct s3_source_options {
    struct s3_origin_options origin;
    enum decoder_parse form; /* see files_options */
    uint32_t transfers;      /* of a worker at once; 0: 8 */
    const atomic_bool *stop; /* see files_options */
};

/* *out is owned by the caller and freed by its ops. As files_open; RC_SOURCE and RC_AUTH, too, for
 * what the service refuses. */
enum rc s3_source_open(const struct s3_source_options *opts, struct source **out,
                       struct err *err) MUST_CHECK;

#endif
