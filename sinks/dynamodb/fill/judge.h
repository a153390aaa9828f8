/* SPDX-License-Identifier: MIT */
/* One item of a page put to the recipe: decoded, what would change, and its key. */
#ifndef SINKS_DYNAMODB_FILL_JUDGE_H
#define SINKS_DYNAMODB_FILL_JUDGE_H

#include "sinks/dynamodb/fill/fill.h"

/* What is needed for it; one for each worker. */
struct judge {
    const struct fill_setup *setup; /* borrowed */
    struct decoder *decoder;        /* owned, as all below */
    struct arena scratch;
    struct buf text;
};

/* Valid until the next item is judged. */
struct judged {
    struct str raw;       /* as it was read; borrowed from the page */
    struct str key;       /* JSON object; empty: it could not be decoded */
    struct item item;     /* n == 0: it could not be decoded */
    struct change change; /* with its fate, and why it is that */
};

/* judge_release frees what was made even if this fails. */
enum rc judge_init(struct judge *j, const struct fill_setup *setup, struct err *err) MUST_CHECK;
void judge_release(struct judge *j);

/* Judges out->raw. An item that is no good has a fate for that: errors are of memory. */
enum rc judge_item(struct judge *j, struct judged *out, struct err *err) MUST_CHECK;

/* The same item, changed by others meanwhile: what would change now? RC_NOMEM. */
enum rc judge_again(struct judge *j, const struct item *item, struct change *out) MUST_CHECK;

#endif
