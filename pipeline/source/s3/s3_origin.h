/* SPDX-License-Identifier: MIT */
/*
 * A bucket as a place for inputs. The main thread finds objects and looks at them, by listing and
 * by their first bytes; what it has found is noted with size and ETag, and readers get no other
 * version. Names are s3://BUCKET/KEY.
 */
#ifndef SOURCE_S3_ORIGIN_H
#define SOURCE_S3_ORIGIN_H

#include "pipeline/base/arena.h"
#include "pipeline/base/map.h"
#include "pipeline/source/s3/s3_bytes.h"

enum { S3_HEADS = 16 };

struct s3_origin {
    struct origin base;
    struct aws_settings settings;
    struct creds_provider *creds;
    struct s3 s3;
    bool settled, connected;
    struct str bucket;    /* in arena */
    const char *root;     /* s3://BUCKET */
    struct s3_link *link; /* the main thread's */
    struct arena arena;
    struct map names; /* of objects, by their whole names */
    struct s3_object **objects;
    size_t n, cap;
    struct buf
        listed; /* the folder that was listed in full; its name ends in "/". Empty: none */
    const char *folder; /* the one that was looked at last; NULL: none was */
    /* what is looked at next, and what was begun of it */
    const char *const *coming; /* borrowed */
    size_t n_coming, at_coming;
    struct s3_bytes *heads[S3_HEADS];
};

struct s3_origin_options {
    struct aws_options aws;    /* its endpoint is that of S3 */
    struct s3_address address; /* borrowed */
    bool requester_pays;
    const char *owner;
    int64_t give_up_us;                                      /* 0: as for tables */
    void (*trouble)(const struct err *err, int64_t left_us); /* see s3_config */
    const struct env *env;
    const struct vars *vars;
};

/* *out is owned by the caller. Nothing is asked of the bucket yet. */
enum rc s3_origin_new(const struct s3_origin_options *opts, struct s3_origin **out,
                      struct err *err) MUST_CHECK;
void s3_origin_free(struct s3_origin *o);

/* thread: any. The object of that name as it was when the run began, or NULL. */
struct s3_object *s3_origin_object(const struct s3_origin *o, const char *name);

/* thread: main. Notes an object's ETag (copied); false: out of memory. */
bool s3_origin_etag(const struct s3_origin *o, struct s3_object *x, struct str etag);

/* thread: main. The note of that name, new if need be; NULL: out of memory. */
struct s3_object *s3_origin_note(struct s3_origin *o, const char *name);

/*
 * s3_walk.c. Lists what lies below a folder, whose name ends in "/": all of it, or the first page of
 * which anything is. Notes what it finds, and *n, how much; and that it was all, if it was.
 */
enum rc s3_walk_list(struct s3_origin *o, struct str folder, bool one_page, size_t *n,
                     struct err *err) MUST_CHECK;
enum rc s3_walk(const struct origin *base, const char *folder,
                enum rc (*found)(void *ctx, const char *name, struct err *err), void *ctx,
                struct err *err) MUST_CHECK;

#endif
