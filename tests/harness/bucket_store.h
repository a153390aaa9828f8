/* SPDX-License-Identifier: MIT */
/*
 * A store that can do what S3 can, and no more: objects are there once they are finished, under
 * names that none had before; nothing is renamed, appended to or locked.
 */
#ifndef HARNESS_BUCKET_STORE_H
#define HARNESS_BUCKET_STORE_H

#include "sinks/store/store.h"
#include "tests/harness/bucket.h"

/* A store_opener; ctx is the bucket, whose changes are counted anew. */
enum rc bucket_store_open(const char *address, void *ctx, struct store **out,
                          struct err *err) MUST_CHECK;

/* The bucket of a store, and an object's name in it. */
struct bucket *bucket_of(const struct store *s);
void bucket_place(const struct store *s, struct store_key key, char out[FS_PATH]);

/* bucket_swap.c */
enum rc bucket_manifest(struct store *s, struct buf *text, struct store_version *version,
                        struct err *err) MUST_CHECK;
enum rc bucket_swap_plan(struct store *s, const struct store_swap *what, struct buf *plan,
                         struct err *err) MUST_CHECK;
enum rc bucket_swap(struct store *s, struct str plan, bool *won, struct err *err) MUST_CHECK;

#endif
