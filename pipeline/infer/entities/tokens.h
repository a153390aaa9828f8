/* SPDX-License-Identifier: MIT */
/*
 * Texts of keys cut into runs. UUIDs, dates and times are whole, whatever stands in them; all else
 * is cut at the separator of the table, the one that most often follows a word.
 */
#ifndef INFER_TOKENS_H
#define INFER_TOKENS_H

#include "pipeline/infer/design.h"

/* Finds the separators that the keys of the table use, into the design. */
void tokens_find_separators(struct infer_design *d);

/* Cuts a value into at most INFER_TOKENS_MAX tokens. The last one has the rest. */
void tokens_cut(struct infer_design *d, struct str s, struct infer_tokens *out);

/* Cuts the keys of all items, into the design. */
void tokens_cut_keys(struct infer_design *d);

enum infer_token_class tokens_class(struct str s);

/* The length of the letters that a text of letters and then digits begins with; 0: it is none. */
size_t tokens_glued(struct str s);

#endif
