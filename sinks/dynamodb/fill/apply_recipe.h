/* SPDX-License-Identifier: MIT */
/* One item of a page put to the recipe: decoded, what would change, and its key. */
#ifndef SINKS_DYNAMODB_FILL_APPLY_RECIPE_H
#define SINKS_DYNAMODB_FILL_APPLY_RECIPE_H

#include "sinks/dynamodb/fill/fill.h"

/* What is needed for it; one for each worker. */
struct apply_recipe {
    const struct fill_setup *setup; /* borrowed */
    struct decoder *decoder;        /* owned, as all below */
    struct arena scratch;
    struct buf text;
};

/* Valid until the next item. */
struct recipe_applied {
    struct str raw;       /* as it was read; borrowed from the page */
    struct str key;       /* JSON object; empty: it could not be decoded */
    struct item item;     /* n == 0: it could not be decoded */
    struct change change; /* with its fate, and why it is that */
};

/* apply_recipe_release frees what was made even if this fails. */
enum rc apply_recipe_init(struct apply_recipe *j, const struct fill_setup *setup,
                          struct err *err) MUST_CHECK;
void apply_recipe_release(struct apply_recipe *j);

/* Sets the rest of *out from out->raw. An item that is no good has a fate for that: errors are of memory. */
enum rc apply_recipe_item(struct apply_recipe *j, struct recipe_applied *out,
                          struct err *err) MUST_CHECK;

/* The same item, changed by others meanwhile: what would change now? RC_NOMEM. */
enum rc apply_recipe_again(struct apply_recipe *j, const struct item *item,
                           struct change *out) MUST_CHECK;

#endif
