/* SPDX-License-Identifier: MIT */
/*
 * snake(path). A word begins at an upper-case letter that follows a lower-case one (`orderID`),
 * and at one that is followed by a lower-case letter and follows an upper-case letter or a digit
 * (`HTTPServer`, `GSI1Key`). Only ASCII letters have a case here; each run of other bytes,
 * UTF-8 included, becomes one underscore.
 */
#include "pipeline/model/model.h"

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_word(struct str s, size_t i)
{
    if (i == 0 || !is_upper(s.p[i]))
        return false;
    char before = s.p[i - 1];
    bool lower_after = i + 1 < s.n && is_lower(s.p[i + 1]);
    return is_lower(before) || (lower_after && (is_upper(before) || is_digit(before)));
}

/* Writes at most 2 * s.n bytes; returns the new end. */
static char *add_member(char *to, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        bool word = is_lower(c) || is_upper(c) || is_digit(c);
        bool other_before = i > 0 && !is_lower(s.p[i - 1]) && !is_upper(s.p[i - 1]) &&
                            !is_digit(s.p[i - 1]) && s.p[i - 1] != '_';
        if (begins_word(s, i))
            *to++ = '_';
        if (word) {
            *to++ = is_upper(c) ? (char)(c - 'A' + 'a') : c;
        } else if (c == '_' || !other_before) {
            *to++ = '_';
        }
    }
    return to;
}

struct str name_snake(struct arena *a, const struct path *path)
{
    size_t room = 1;
    for (uint32_t i = 0; i < path->n; i++)
        room += 2 * path->members[i].n + 1;
    char *p = arena_alloc(a, room);
    if (!p)
        return (struct str){0};
    char *end = p;
    for (uint32_t i = 0; i < path->n; i++) {
        if (i)
            *end++ = '_';
        end = add_member(end, path->members[i]);
    }
    *end = '\0';
    return (struct str){p, (size_t)(end - p)};
}
