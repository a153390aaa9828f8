/* SPDX-License-Identifier: MIT */
/*
 * Buckets for reading: the folders of --s3 DIR, with their files as objects. Requests come in path
 * style, or with the bucket in the host's name. Signatures, regions, owners and payers are looked
 * at as S3 does.
 */
#ifndef SIM_S3_H
#define SIM_S3_H

#include "tests/sim/http.h"
#include "tests/sim/reply.h"

struct sim;

/* A file as it was when it was read first; what is on its way to a client stays where it is. */
struct s3_file {
    char *path;
    struct str data;
    int64_t mtime_ns;
    char etag[40];
    struct s3_file *next;
};

struct s3_call {
    const struct http_request *req;
    const char *operation;  /* "GetObject", "HeadObject", "HeadBucket", "ListObjectsV2" */
    struct buf bucket, key; /* decoded */
};

/* Is the request one for buckets? */
bool s3_is(const struct sim *s, const struct http_request *req);

void s3_call_init(struct s3_call *c, const struct http_request *req);
void s3_call_release(struct s3_call *c);

void s3_run(struct sim *s, const struct s3_call *c, struct reply *r);
void s3_release(struct sim *s);

/* s3_list.c */
void s3_list(struct sim *s, const struct s3_call *c, struct reply *r);

/* The value of a parameter of the query, decoded; false: there is none. */
bool s3_parameter(const struct s3_call *c, const char *name, struct buf *out);
void s3_add_xml(struct buf *b, struct str text);

/* The file of an object, read if need be; NULL: there is none. */
const struct s3_file *s3_find(struct sim *s, const char *bucket, const char *key);

#endif
