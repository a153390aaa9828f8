/* SPDX-License-Identifier: MIT */
/* The form of the items of a file, told from the first of them: with type tags, or plain JSON. */
#ifndef FILES_FORMAT_ITEM_FORM_H
#define FILES_FORMAT_ITEM_FORM_H

#include "pipeline/item/decoder.h"
#include "pipeline/source/files/format/format.h"

/*
 * Decides from the first bytes of `name`, which are of that format: DECODER_TYPED, DECODER_PLAIN,
 * or DECODER_TEXT where nothing tells. RC_USAGE: the items are neither.
 */
enum rc item_form(struct str head, const char *name, enum format format,
                  enum decoder_parse *out, struct err *err) MUST_CHECK;

#endif
