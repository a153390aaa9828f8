/* SPDX-License-Identifier: MIT */
/*
 * What counts as a password is what libpq would take for one: the part behind the colon in
 * postgresql://user:password@host, and whatever follows password= (or sslpassword=), up to the
 * next & in a URL, else to the next space outside quotes. The same in an address of any other
 * scheme, which may be a mistyped one. For an instant after the start of the process passwords can
 * still be seen; in the environment and in .pgpass they never are.
 */
#include "cmd/secret_args.h"

#include <stdlib.h>
#include <string.h>

static void blot(char *from, const char *to)
{
    while (from < to)
        *from++ = 'x';
}

/* Blots SCHEME://user:PASSWORD@ wherever it stands; libpq looks for an @ before the first slash. */
static bool blot_users(char *text)
{
    bool any = false;
    for (char *p = strstr(text, "://"); p; p = strstr(p, "://")) {
        p += 3;
        char *end = p + strcspn(p, "@/ \t\n\"");
        char *colon = memchr(p, ':', (size_t)(end - p));
        if (*end != '@' || !colon)
            continue;
        blot(colon + 1, end);
        any = true;
    }
    return any;
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

/* Blots password=VALUE, which ends at the next & in a URL. */
static bool blot_named(char *text, bool url)
{
    static const char name[] = "password";
    bool any = false;
    for (char *p = strstr(text, name); p; p = strstr(p, name)) {
        p += sizeof name - 1;
        char *value = url ? p : p + strspn(p, " \t\n");
        if (*value != '=')
            continue;
        value++;
        any = true;
        if (url) {
            blot(value, value + strcspn(value, "& \t\n\""));
            continue;
        }
        value += strspn(value, " \t\n");
        if (*value == '\'') {
            blot(value + 1, quoted_end(value + 1));
        } else {
            blot(value, plain_end(value));
        }
    }
    return any;
}

/* user:PASSWORD@host is an address that nobody takes, and was meant as one. */
static void blot_bare(char *word)
{
    char *colon = strchr(word, ':');
    char *at = strrchr(word, '@');
    if (!strstr(word, "://") && colon && at && colon < at && !strpbrk(word, " /{"))
        blot(colon + 1, at);
}

bool secret_args_hide(char *text)
{
    blot_bare(text);
    bool user = blot_users(text);
    return blot_named(text, strstr(text, "://") != NULL) || user;
}

char **secret_args_take(int argc, char **argv, bool *any)
{
    *any = false;
    char **copies = calloc((size_t)argc + 1, sizeof *copies);
    if (!copies)
        return NULL;
    for (int i = 0; i < argc; i++) {
        copies[i] = strdup(argv[i]);
        if (!copies[i]) {
            secret_args_free(copies);
            return NULL;
        }
    }
    for (int i = 1; i < argc; i++)
        *any |= secret_args_hide(argv[i]) && argv[i][0] != '{'; /* an item is data */
    return copies;
}

void secret_args_free(char **args)
{
    for (char **a = args; a && *a; a++) {
        memset(*a, 0, strlen(*a));
        free(*a);
    }
    free(args);
}
