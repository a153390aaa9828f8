/* SPDX-License-Identifier: MIT */
/*
 * What ListObjectsV2 answers: one page of objects in the order of their keys' bytes. Keys come
 * percent-encoded, because XML cannot carry all that a key may hold.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 */
#ifndef AWS_S3_LIST_H
#define AWS_S3_LIST_H

#include "pipeline/base/arena.h"
#include "pipeline/base/buf.h"

struct s3_entry {
    struct str key;  /* as it is, decoded */
    struct str etag; /* without quotes; empty: not told */
    uint64_t size;
    int64_t mtime_us;
};

struct s3_list {
    struct arena *arena;      /* borrowed: has the entries and what they point to */
    struct s3_entry *entries; /* of all pages read so far */
    size_t n, cap;
    bool more;        /* there is another page */
    struct buf token; /* that asks for it */
};

void s3_list_init(struct s3_list *l, struct arena *a);
void s3_list_release(struct s3_list *l);

/*
 * Adds the objects of a page. False, and nothing is added: it is no such answer, it is not whole,
 * or it is more than a page may be.
 */
bool s3_list_page(struct s3_list *l, struct str body);

/* Appends the query that asks for the next page of all keys that begin with prefix. */
void s3_list_query(const struct s3_list *l, struct str prefix, struct buf *out);

#endif
