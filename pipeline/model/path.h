/* SPDX-License-Identifier: MIT */
/* Where a value stands in an item: the names of nested members, from the attribute down. */
#ifndef MODEL_PATH_H
#define MODEL_PATH_H

#include "pipeline/base/arena.h"
#include "pipeline/base/buf.h"
#include "pipeline/item/value.h"

struct path {
    struct str *members;
    uint32_t n;
};

struct paths {
    struct path *v;
    uint32_t n;
};

/*
 * Splits "A.b" into its members; a backslash takes the next character as it is (`a\.b` is one
 * member). RC_USAGE for an empty member or a backslash at the end, RC_NOMEM. The members are
 * copies in the arena.
 */
enum rc path_parse(struct str text, struct arena *a, struct path *out) MUST_CHECK;

/* Follows a path into an item's maps; NULL if it leads nowhere. */
const struct val *path_find(const struct item *item, const struct path *path);
void path_print(const struct path *path, struct buf *out);

/* Prints all of them, with commas between. */
void path_print_all(const struct paths *paths, struct buf *out);
bool path_eq(const struct path *a, const struct path *b);

/* Members joined by '_', as the byte-equal rule of columns reads a path. */
struct str path_join(struct arena *a, const struct path *path);

#endif
