/* SPDX-License-Identifier: MIT */
/* What formats write texts with. All texts are UTF-8. */
#ifndef CMD_PRINT_DIAGRAM_DIAGRAM_TEXT_H
#define CMD_PRINT_DIAGRAM_DIAGRAM_TEXT_H

#include "pipeline/base/buf.h"

/* The next character, and its bytes; *at moves on, and must be below the text's length. */
uint32_t diagram_text_next(struct str s, size_t *at, struct str *bytes);

/* True if the text is a word: ASCII letters, digits and '_', and begins with no digit. */
bool diagram_text_is_word(struct str s);

/* Is the text one of the words, in any case? They are in lower case, and the last is NULL. */
bool diagram_text_is_one_of(struct str s, const char *const *words);

/* A YAML scalar: bare where that can be no other thing than this text, else in double quotes. */
void diagram_text_yaml(struct buf *out, struct str s);

/* Appends the text as XML: markup escaped, what XML does not allow as U+FFFD. */
void diagram_text_xml(struct buf *out, struct str s);

#endif
