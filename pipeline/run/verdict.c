/* SPDX-License-Identifier: MIT */
/* Reasons are for people: what finds no room ends in dots. */
#include "pipeline/run/verdict.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void join(char *to, size_t room, const char *between, const char *text)
{
    static const char DOTS[] = "...";
    size_t n = strlen(to);
    int more = snprintf(to + n, room - n, "%s%s", n ? between : "", text);
    if (more < 0 || (size_t)more >= room - n)
        memcpy(to + room - sizeof DOTS, DOTS, sizeof DOTS);
}

/* Is the last option of the list the one that `but` is a value of? */
static bool goes_on(const char *list, const char *but)
{
    size_t n = strcspn(but, " ");
    const char *last = list;
    for (const char *at = strstr(list, "--"); at; at = strstr(at + 1, " --"))
        last = *at == ' ' ? at + 1 : at;
    return but[n] && strncmp(last, but, n + 1) == 0;
}

static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word)) {
        if ((at == words || strchr(" ,", at[-1])) && strchr(" ,", at[n]))
            return true; /* the end counts, too */
    }
    return false;
}

static void add_but(struct verdict *v, const char *but)
{
    if (goes_on(v->but, but)) {
        but = strchr(but, ' ') + 1;
        if (!has_word(v->but, but))
            join(v->but, sizeof v->but, ",", but);
    } else if (!has_word(v->but, but)) {
        join(v->but, sizeof v->but, ", ", but);
    }
}

void verdict_hold(struct verdict *v, const char *but, const char *fmt, ...)
{
    char why[VERDICT_WHY];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(why, sizeof why, fmt, args);
    va_end(args);
    v->held = true;
    join(v->why, sizeof v->why, "; ", why);
    if (but)
        add_but(v, but);
}
