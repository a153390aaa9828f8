/* SPDX-License-Identifier: MIT */
/*
 * Where inputs come from: the local file system, later a bucket. It finds them by name,
 * looks at them and opens their bytes; all else about files is written once, above it.
 */
#ifndef SOURCE_FILES_ORIGIN_H
#define SOURCE_FILES_ORIGIN_H

#include "pipeline/base/buf.h"
#include "pipeline/base/bytes.h"

struct origin;

/* thread: any, for all of them. */
struct origin_ops {
    /* What lies under a name. RC_NONE: nothing; err is not set. */
    enum rc (*look)(const struct origin *o, const char *name, struct bytes_facts *out,
                    struct err *err);
    /*
     * *out is owned by the caller. RC_USAGE: it cannot be opened. RC_AGAIN: a signal came while
     * this waited for somebody to write into a pipe.
     */
    enum rc (*open)(const struct origin *o, const char *name, struct bytes **out,
                    struct err *err);
    /*
     * Calls `found` for each file below a folder, at any depth, in an order that is the same
     * on every machine; its first failure ends the walk. Names that begin with a dot, at any
     * level, are left out.
     */
    enum rc (*walk)(const struct origin *o, const char *folder,
                    enum rc (*found)(void *ctx, const char *name, struct err *err), void *ctx,
                    struct err *err);
    /*
     * Appends the name under which it is known from anywhere, each time the same: a run is
     * recognised by it. RC_TRANSIENT: it cannot be told now.
     */
    enum rc (*whole_name)(const struct origin *o, const char *name, struct buf *out,
                          struct err *err);
};

struct origin {
    const struct origin_ops *ops;
};

/* Files and folders by their paths; "-" is standard input. */
extern const struct origin origin_local;

/*
 * Appends all of a file, which must be there. RC_NONE: it is not. RC_SOURCE: it cannot be
 * read. out's ceiling bounds it.
 */
enum rc origin_read(const struct origin *o, const char *name, struct buf *out,
                    struct err *err) MUST_CHECK;

/* origin_walk.c: the walk of the local file system. */
enum rc origin_walk_local(const struct origin *o, const char *folder,
                          enum rc (*found)(void *ctx, const char *name, struct err *err),
                          void *ctx, struct err *err) MUST_CHECK;

#endif
