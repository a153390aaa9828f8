/* SPDX-License-Identifier: MIT */
/* The folder store's own parts, shared by its files and nobody else. */
#ifndef SINKS_STORE_FOLDER_FOLDER_PRIVATE_H
#define SINKS_STORE_FOLDER_FOLDER_PRIVATE_H

#include <stdatomic.h>

#include "sinks/store/folder/folder_store.h"

struct folder_store {
    struct store base;
    char out[FS_PATH];
    int lock;                  /* -1: opened for reading */
    atomic_uint created;       /* objects made by create, which numbers their first names */
    bool planned;              /* this process made a plan and has not begun to follow it */
    struct store_version from; /* of that plan */
};

static inline struct folder_store *folder_of(struct store *s)
{
    return (struct folder_store *)(void *)s;
}

void folder_place(const struct store *s, struct store_key key, char out[FS_PATH]);

/* folder_object.c */
enum rc folder_begin(struct store *s, struct store_key key, bool secret,
                     struct store_object **out, struct err *err) MUST_CHECK;
enum rc folder_create(struct store *s, struct store_key key, struct str text, bool *made,
                      struct err *err) MUST_CHECK;

/* folder_entries.c: before the lock is taken, and when it is known which run goes on. */
enum rc folder_check_target(const char *out, struct err *err) MUST_CHECK;
enum rc folder_check(struct store *s, struct str plan, struct err *err) MUST_CHECK;

/*
 * folder_own.c: all that lies in OUT/.renorm, which must be there, and one entry of it. RC_USAGE:
 * a link, or something that renorm did not write.
 */
enum rc folder_check_own(const char *out, struct err *err) MUST_CHECK;
enum rc folder_check_run(const char *path, struct err *err) MUST_CHECK;
bool folder_is_part(const char *name); /* as a run calls its files */

/* folder_swap.c */
enum rc folder_manifest(struct store *s, struct buf *text, struct store_version *version,
                        struct err *err) MUST_CHECK;
enum rc folder_swap_plan(struct store *s, const struct store_swap *what, struct buf *plan,
                         struct err *err) MUST_CHECK;
enum rc folder_swap(struct store *s, struct str plan, bool *won, struct err *err) MUST_CHECK;

/* A folder to be shown, and the inode by which it is known on either side of the exchange. */
struct folder_exchange {
    const char *dir; /* borrowed from the plan's document */
    uint64_t inode;
};

/* A plan as it was read. */
struct folder_plan {
    struct folder_exchange *v; /* owned */
    size_t n;
    void *doc;
};

/* An empty text is an empty plan. */
enum rc folder_plan_read(struct folder_plan *p, struct str text, struct err *err) MUST_CHECK;
bool folder_plan_has(const struct folder_plan *p, const char *dir);
void folder_plan_release(struct folder_plan *p);

#endif
