/* SPDX-License-Identifier: MIT */
/* A place in JSON text, for those who walk it member by member. */
#ifndef FILES_FORMAT_CURSOR_H
#define FILES_FORMAT_CURSOR_H

#include "pipeline/base/str.h"
#include "pipeline/source/files/format/chars.h"

struct cursor {
    struct str s; /* borrowed */
    size_t at;
};

/* Passes over white space. */
static inline void cursor_blanks(struct cursor *c)
{
    while (c->at < c->s.n && char_blank(c->s.p[c->at]))
        c->at++;
}

/* The next byte behind white space, which is passed over; NUL at the end. */
static inline char cursor_peek(struct cursor *c)
{
    cursor_blanks(c);
    return c->at < c->s.n ? c->s.p[c->at] : '\0';
}

/* Passes over `byte`, if that is the next one. */
static inline bool cursor_eat(struct cursor *c, char byte)
{
    if (cursor_peek(c) != byte)
        return false;
    c->at++;
    return true;
}

/* A string, quotes not included, escapes as they are. */
bool cursor_string(struct cursor *l, struct str *out);

/* Past one value of any kind; false if it does not end here. */
bool cursor_value(struct cursor *l);

/* Is the object ahead a value with a type tag, as far as its first member says? */
bool cursor_tagged(struct cursor l);

#endif
