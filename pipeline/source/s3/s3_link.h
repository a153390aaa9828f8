/* SPDX-License-Identifier: MIT */
/*
 * What one thread reads a bucket by: an event loop with the transfers of all objects that it has
 * open. The main thread has one, which waits; each reader has one, which does not.
 */
#ifndef SOURCE_S3_LINK_H
#define SOURCE_S3_LINK_H

#include "pipeline/aws/s3/s3.h"
#include "pipeline/source/files/origin.h"

struct s3_bytes;
struct s3_origin;

struct s3_link {
    struct origin_link base;
    const struct s3_origin *origin; /* borrowed */
    struct s3 *s3;                  /* borrowed, shared */
    struct http_loop *loop;
    struct s3_bytes *open; /* all that are */
};

/* Returns owned, or NULL with err set. */
struct s3_link *s3_link_new(const struct s3_origin *origin, struct s3 *s3, struct err *err);
void s3_link_free(struct s3_link *l);

/* Starts what is due, waits, and moves transfers on; see reader_ops.wait. */
enum rc s3_link_wait(struct s3_link *l, struct pollfd *extra, size_t nextra, int timeout_ms,
                     struct err *err) MUST_CHECK;

#endif
