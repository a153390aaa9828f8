/* SPDX-License-Identifier: MIT */
/*
 * How much of a text a cell says from the text's beginning on: the last part of what a row of the
 * type table is made of. Texts are those of keys, made of words between what is neither letter nor
 * digit; a cell may say several of them, as dates do, and must end where one ends.
 */
#ifndef ITEM_CAST_CAST_COVERS_H
#define ITEM_CAST_CAST_COVERS_H

#include "pipeline/item/cast/column_type.h"

static inline bool cast_covers_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Bytes of other alphabets count as letters. */
static inline bool cast_covers_in_word(char c)
{
    return cast_covers_is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 26 ||
           (unsigned char)c >= 128;
}

static inline bool cast_covers_ends_word(struct str text, size_t at)
{
    return at == text.n || !cast_covers_in_word(text.p[at]);
}

/* Returns how much of the text the cell's text covers; 0: nothing. */
static inline size_t cast_covers_text(struct str cell, struct str text)
{
    if (cell.n == 0 || cell.n > text.n || cell.p[0] != text.p[0] || !str_starts(text, cell))
        return 0;
    return cast_covers_ends_word(text, cell.n) ? cell.n : 0;
}

/* The same of any cell that has a value. */
static inline size_t cast_covers(enum col_type type, const struct datum *d, struct str text)
{
    if (type == COL_TEXT)
        return cast_covers_text(d->u.text, text);
    return column_types[type].covers ? column_types[type].covers(type, d, text) : 0;
}

#endif
