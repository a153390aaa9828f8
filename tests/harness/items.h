/* SPDX-License-Identifier: MIT */
/*
 * What tests of items share: a decoder with its memory, texts written with ' for ", and a
 * maker of items, good and damaged, that is the same on every machine.
 */
#ifndef HARNESS_ITEMS_H
#define HARNESS_ITEMS_H

#include "pipeline/base/buf.h"
#include "pipeline/item/cast/cast.h"
#include "pipeline/item/decoder.h"

struct items {
    struct decoder *decoder;
    struct arena arena; /* of the values */
    struct arena texts;
    struct buf buf, text;
    struct fault why;
    uint64_t random; /* state of the maker; set it for another series */
};

/* For cmocka: *state becomes a struct items. */
int items_set_up(void **state);
int items_tear_down(void **state);

/* The same with room for what one case decodes or casts. */
struct items_world {
    struct items *t;
    struct item item;
    struct datum cell;
    struct fault why;
    struct str raw;
    unsigned used;
};

/* For cmocka: *state becomes a struct items_world. */
int items_world_set_up(void **state);
int items_world_tear_down(void **state);

/* Decodes the text (with ' for ") into w->item or w->why; what was decoded before is gone. */
enum rc items_world_decode(struct items_world *w, struct str text);

/*
 * The text with " for each ', in a block of its own exact size, so that a read beyond it shows
 * under AddressSanitizer. Valid until the tear-down.
 */
struct str items_text(struct items *t, struct str text);

/* Decodes one tagged value, {"S":"x"}, of an item that lives in the arena; ends the test if that fails. */
struct val items_decode_value(struct decoder *d, struct str raw, struct arena *a);

/* Decoded; ends the test with the reason if that fails. */
struct val items_value(struct items *t, const char *text);
struct item items_item(struct items *t, const char *text);

/* A number below `below`. */
uint32_t items_roll(struct items *t, uint32_t below);

/* Makes an item in t->text; a few have faults. */
void items_make(struct items *t);

/* One to three small injuries to t->text, of the kind files suffer. */
void items_damage(struct items *t);

#endif
