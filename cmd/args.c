/* SPDX-License-Identifier: MIT */
/*
 * What counts as a password is what libpq would take for one: the part behind the colon in
 * postgresql://user:password@host, and whatever follows password= (or sslpassword=), up to the
 * next & in a URL, else to the next space outside quotes. Between the start of the process and
 * this lies an instant in which they can be seen; the environment and .pgpass have none.
 */
#include "cmd/args.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void blot(char *from, const char *to)
{
    while (from < to)
        *from++ = 'x';
}

/* libpq looks for an @ before the first slash. */
static void blot_user(char *rest)
{
    char *end = rest + strcspn(rest, "@/");
    char *colon = memchr(rest, ':', (size_t)(end - rest));
    if (*end == '@' && colon)
        blot(colon + 1, end);
}

static const char *quoted_end(const char *p)
{
    while (*p && *p != '\'')
        p += *p == '\\' && p[1] ? 2 : 1;
    return p;
}

static const char *plain_end(const char *p)
{
    while (*p && *p != ' ' && *p != '\t' && *p != '\n')
        p += *p == '\\' && p[1] ? 2 : 1;
    return p;
}

static void blot_named(char *word, bool url)
{
    static const char name[] = "password";
    for (char *p = strstr(word, name); p; p = strstr(p, name)) {
        p += sizeof name - 1;
        char *value = url ? p : p + strspn(p, " \t\n");
        if (*value != '=')
            continue;
        value++;
        if (url) {
            blot(value, value + strcspn(value, "&"));
            continue;
        }
        value += strspn(value, " \t\n");
        if (*value == '\'') {
            blot(value + 1, quoted_end(value + 1));
        } else {
            blot(value, plain_end(value));
        }
    }
}

static void blot_word(char *word)
{
    static const char *const schemes[] = {"postgresql://", "postgres://"};
    bool url = false;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes && !url; i++) {
        url = strncmp(word, schemes[i], strlen(schemes[i])) == 0;
        if (url)
            blot_user(word + strlen(schemes[i]));
    }
    blot_named(word, url);
}

char **args_take(int argc, char **argv)
{
    char **copies = calloc((size_t)argc + 1, sizeof *copies);
    if (!copies)
        return NULL;
    for (int i = 0; i < argc; i++) {
        copies[i] = strdup(argv[i]);
        if (!copies[i]) {
            args_free(copies);
            return NULL;
        }
    }
    for (int i = 1; i < argc; i++)
        blot_word(argv[i]);
    return copies;
}

void args_free(char **args)
{
    for (char **a = args; a && *a; a++) {
        memset(*a, 0, strlen(*a));
        free(*a);
    }
    free(args);
}
