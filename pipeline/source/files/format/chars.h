/* SPDX-License-Identifier: MIT */
/* Small tests of single bytes, for those who walk JSON text. */
#ifndef FILES_FORMAT_CHARS_H
#define FILES_FORMAT_CHARS_H

#include <stdbool.h>
#include <string.h>

/* JSON's white space. */
static inline bool char_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* c is one of the characters of `set`; NUL is of none. */
static inline bool char_in(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

#endif
