/* SPDX-License-Identifier: MIT */
/*
 * DynamoDB JSON text to a decoded item. Everything is validated, also what will be dropped
 * later: type tags, base64, numbers, UTF-8, set members, depth.
 */
#ifndef ITEM_DECODER_H
#define ITEM_DECODER_H

#include "pipeline/base/arena.h"
#include "pipeline/item/fault.h"
#include "pipeline/item/value.h"

struct decoder;

/* thread: worker. One per worker: it keeps buffers between calls. Returns owned, or NULL. */
struct decoder *decoder_new(void);
void decoder_free(struct decoder *d);

/*
 * Decodes one item: {"PK":{"S":..},..} or {"Item":{..}} (the wrapper of export lines; an
 * object whose only member is "Item" with an untagged map). A line of rejected or unrouted
 * items stands for its item: out->raw then is the item's own text. The result lives in `a` and
 * may point into `raw`. RC_OK, RC_NOMEM, or RC_DATA with `why` set.
 */
enum rc item_decode(struct decoder *d, struct str raw, struct arena *a, struct item *out,
                    struct fault *why) MUST_CHECK;

/* The same by the careful decoder alone: what the fast one is compared with in tests. */
enum rc item_decode_careful(struct decoder *d, struct str raw, struct arena *a,
                            struct item *out, struct fault *why) MUST_CHECK;

/* What a text inside an item holds. */
enum decoder_parse { DECODER_TEXT = 0, DECODER_PLAIN, DECODER_TYPED };

/*
 * The value that a text spells, which must live as long as the value: plain JSON, or a tagged value
 * or the attributes of an item. The same limits and checks hold as for items.
 */
enum rc decoder_parse(struct decoder *d, enum decoder_parse form, struct str text,
                      struct arena *a, struct val *out, struct fault *why) MUST_CHECK;

/* The form of the items that are decoded from now on: DECODER_TYPED, as at first, or DECODER_PLAIN. */
void decoder_set_form(struct decoder *d, enum decoder_parse form);

#endif
