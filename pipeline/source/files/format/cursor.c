/* SPDX-License-Identifier: MIT */
#include "pipeline/source/files/format/cursor.h"

/* A string, quotes not included, escapes as they are. */
bool cursor_string(struct cursor *l, struct str *out)
{
    if (!cursor_eat(l, '"'))
        return false;
    size_t start = l->at;
    while (l->at < l->s.n && l->s.p[l->at] != '"')
        l->at += l->s.p[l->at] == '\\' ? 2 : 1;
    if (l->at >= l->s.n)
        return false;
    *out = str_make(l->s.p + start, l->at - start);
    l->at++;
    return true;
}

/* Past one value of any kind; false if it does not end here. */
bool cursor_value(struct cursor *l)
{
    size_t depth = 0;
    do {
        struct str text;
        char c = cursor_peek(l);
        if (c == '\0')
            return false;
        if (c == '"') {
            if (!cursor_string(l, &text))
                return false;
            continue;
        }
        if (depth == 0 && char_in(c, ",}]"))
            return true;
        depth += c == '{' || c == '[';
        depth -= (c == '}' || c == ']') && depth > 0;
        l->at++;
    } while (depth > 0 || !char_in(cursor_peek(l), ",}]"));
    return true;
}

static bool is_tag(struct str s)
{
    static const char *const TAGS[] = {"S", "N", "B",  "BOOL", "NULL",
                                       "M", "L", "SS", "NS",   "BS"};
    for (size_t i = 0; i < sizeof TAGS / sizeof TAGS[0]; i++) {
        if (str_is(s, TAGS[i]))
            return true;
    }
    return false;
}

/* An object that looks like a tagged value: its first member is a type tag. */
bool cursor_tagged(struct cursor l)
{
    struct str name;
    return cursor_eat(&l, '{') && cursor_string(&l, &name) && is_tag(name);
}
