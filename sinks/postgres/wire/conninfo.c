/* SPDX-License-Identifier: MIT */
/*
 * A word is taken apart as libpq does it: a key, blanks, an equals sign, blanks, a value that is
 * quoted or ends at a blank. The keys are asked of libpq: a newer one has more.
 */
#include "sinks/postgres/wire/conninfo.h"

#include <libpq-fe.h>
#include <string.h>

#include "pipeline/base/str.h"

static const char BLANKS[] = " \t\n\r\f\v";

static const char *skip(const char *p)
{
    return p + strspn(p, BLANKS);
}

static const char *value_end(const char *p)
{
    bool quoted = *p == '\'';
    for (p += quoted; *p; p++) {
        if (quoted ? *p == '\'' : strchr(BLANKS, *p) != NULL)
            return p + quoted;
        if (*p == '\\' && p[1])
            p++;
    }
    return p;
}

/* The pair at *p, which moves behind it; false if there is none. */
static bool next_pair(const char **p, struct str *key, struct str *value)
{
    const char *at = skip(*p);
    *key = str_make(at, strcspn(at, "= \t\n\r\f\v"));
    at = skip(at + key->n);
    if (key->n == 0 || *at != '=')
        return false;
    at = skip(at + 1);
    *value = str_make(at, (size_t)(value_end(at) - at));
    *p = skip(at + value->n);
    return true;
}

static bool knows(const PQconninfoOption *all, struct str key)
{
    for (; all->keyword; all++) {
        if (str_is(key, all->keyword))
            return true;
    }
    return false;
}

/* host=/tmp is a socket's folder, and what is quoted is no path; but user=5/out may be one. */
static bool like_path(struct str value)
{
    return value.n && value.p[0] != '/' && value.p[0] != '\'' && memchr(value.p, '/', value.n);
}

/*
 * With its first key mistyped, too, a list of several pairs is no name that a path would have;
 * unless that key has a slash in it, as no key would.
 */
static enum pg_conninfo of_pairs(const PQconninfoOption *all, const char *word)
{
    struct str key, value, more;
    if (!next_pair(&word, &key, &value) || memchr(key.p, '/', key.n))
        return PG_CONNINFO_NO;
    bool first = knows(all, key), pairs = *word != '\0', right = first && pairs;
    while (pairs && *word) {
        pairs = next_pair(&word, &key, &more);
        right = right && pairs && knows(all, key);
    }
    if (!first)
        return pairs ? PG_CONNINFO_MAYBE : PG_CONNINFO_NO;
    return !right && like_path(value) ? PG_CONNINFO_MAYBE : PG_CONNINFO_YES;
}

enum rc pg_conninfo(const char *word, enum pg_conninfo *out, struct err *err)
{
    struct str text = str_of(word);
    *out = PG_CONNINFO_NO;
    if (str_starts(text, STR("postgresql://")) || str_starts(text, STR("postgres://"))) {
        *out = PG_CONNINFO_YES;
    } else if (strchr(word, '=')) {
        /* unlike PQconndefaults, this reads no service file, which may be wrong */
        PQconninfoOption *all = PQconninfoParse("", NULL);
        if (!all)
            return err_nomem(err);
        *out = of_pairs(all, word);
        PQconninfoFree(all);
    }
    return RC_OK;
}
