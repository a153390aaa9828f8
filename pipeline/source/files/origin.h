/* SPDX-License-Identifier: MIT */
/*
 * Where inputs come from: the local file system, a bucket. It finds them by name, looks at them
 * and opens their bytes; all else about files is written once, above it. Where bytes have to be
 * waited for, each reader opens them by a link of its own, whose bytes never wait.
 */
#ifndef SOURCE_FILES_ORIGIN_H
#define SOURCE_FILES_ORIGIN_H

#include <poll.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/bytes.h"

struct origin;
struct origin_link;

/* thread: any, where not said otherwise; of an origin with links: main. */
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

    /* The rest is NULL in an origin whose bytes are there at once. */

    /* thread: main. Returns owned, or NULL with err set. */
    struct origin_link *(*link)(const struct origin *o, struct err *err);
    /* thread: main. A hint: these (borrowed until the next call) are looked at and opened next, in
     * this order. */
    void (*foretell)(const struct origin *o, const char *const *names, size_t n);
    /* Appends what tells this version of it from any other. */
    void (*version)(const struct origin *o, const char *name, struct buf *out);
    /* thread: main, many times a second while readers read. Must not block for long. */
    enum rc (*tick)(const struct origin *o, struct err *err);
    /* Called when the source that took it is freed. */
    void (*free)(struct origin *o);
};

struct origin {
    const struct origin_ops *ops;
};

/* See reader_ops. */
struct origin_link_ops {
    enum rc (*wait)(struct origin_link *l, struct pollfd *extra, size_t nextra, int timeout_ms,
                    struct err *err);
    void (*wake)(struct origin_link *l);
    void (*free)(struct origin_link *l);
};

/* One thread's way to the bytes: `open` of its base never waits, and neither do they. */
struct origin_link {
    struct origin base; /* has `open` alone */
    const struct origin_link_ops *ops;
};

static inline void origin_foretell(const struct origin *o, const char *const *names, size_t n)
{
    if (o->ops->foretell)
        o->ops->foretell(o, names, n);
}

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
