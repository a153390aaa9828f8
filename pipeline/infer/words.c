/* SPDX-License-Identifier: MIT */
#include "pipeline/infer/words.h"

#include <string.h>

enum { ROOM = 64 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_alnum(char c)
{
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
           (unsigned char)c >= 0x80;
}

/* Letters and digits alone, in lower case. */
static struct str plain(struct str s, char out[ROOM])
{
    size_t n = 0;
    for (size_t i = 0; i < s.n && n < ROOM; i++) {
        if (is_alnum(s.p[i]))
            out[n++] = lower(s.p[i]);
    }
    return str_make(out, n);
}

/* The list ends in NULL. A word may begin or end in '*'. */
static bool listed(struct str s, const char *const *v)
{
    for (; *v; v++) {
        if (str_glob(s, str_of(*v)))
            return true;
    }
    return false;
}

bool words_type_like(struct str name)
{
    static const char *const V[] = {
        "type",       "*type",  "kind", "*kind", "entity", "entityname", "typename",
        "et",         "t",      "cls",  "class", "model",  "schema",     "discriminator",
        "recordtype", "object", "_t",   NULL};
    char room[ROOM];
    return listed(plain(name, room), V);
}

bool words_index_like(struct str name)
{
    static const char *const V[] = {
        "gsi*",     "lsi*",      "*pk",           "*sk",      "pk?",    "sk?",  "gs?pk*",
        "*hashkey", "*rangekey", "*partitionkey", "*sortkey", "index*", "idx*", "*index",
        "*idx",     "?pk?",      "?sk?",          "*pk?",     "*sk?",   NULL};
    char room[ROOM];
    return listed(plain(name, room), V);
}

bool words_root_like(struct str word)
{
    static const char *const V[] = {
        "metadata", "meta",   "root",    "a",          "profile", "info", "data",
        "details",  "detail", "header",  "head",       "main",    "self", "base",
        "record",   "item",   "current", "latest",     "summary", "_",    "0",
        "",         "1",      "master",  "attributes", NULL};
    char room[ROOM];
    return listed(plain(word, room), V);
}

bool words_time_like(struct str name)
{
    static const char *const V[] = {"*at",     "*time",    "*timestamp", "*date",     "ts",
                                    "*ts",     "created*", "updated*",   "modified*", "expire*",
                                    "ttl",     "*since",   "*until",     "*seen",     "*on",
                                    "*when",   "start*",   "end*",       "last*",     "*epoch",
                                    "*millis", "*ms",      "*expiry",    "*ttl",      NULL};
    char room[ROOM];
    return listed(plain(name, room), V);
}

bool words_code_like(struct str name)
{
    static const char *const V[] = {
        "*zip*", "*postal*", "*postcode*", "*phone*",          "*mobile*",
        "*fax*", "*ssn*",    "*isbn*",     "*iban*",           "*barcode*",
        "*ean",  "*pin",     "*plz*",      "*account*number*", NULL};
    char room[ROOM];
    return listed(plain(name, room), V);
}

bool words_parent_like(struct str name)
{
    static const char *const V[] = {
        "parent*",     "manager*",  "previous*",   "prev*",       "next*",      "boss*",
        "supervisor*", "leader*",   "reportsto*",  "replyto*",    "inreplyto*", "predecessor*",
        "successor*",  "referrer*", "referredby*", "supersedes*", "replaces*",  NULL};
    char room[ROOM];
    return listed(plain(name, room), V);
}

bool words_personal(struct str name)
{
    static const char *const V[] = {
        "*email*",   "*mail",       "*phone*",      "*mobile*",     "*firstname*", "*lastname*",
        "*surname*", "*fullname*",  "*birth*",      "bornon",       "*ssn*",       "*passport*",
        "*iban*",    "*street*",    "*address*",    "*password*",   "*token*",     "*secret*",
        "ip",        "*ipaddress*", "*creditcard*", "*cardnumber*", NULL};
    char room[ROOM];
    return listed(plain(name, room), V);
}

bool words_null_like(struct str text)
{
    static const char *const V[] = {"",    "null",    "n/a",       "na",  "-", "--",  "none",
                                    "nil", "unknown", "undefined", "nan", "?", "tbd", NULL};
    char room[ROOM];
    size_t n = 0;
    for (; n < text.n && n < ROOM; n++)
        room[n] = lower(text.p[n]);
    for (const char *const *v = V; *v; v++) {
        if (str_is(str_make(room, n), *v))
            return true;
    }
    return false;
}

struct str words_stem(struct str name)
{
    static const char *const V[] = {"_ids", "_id",   "Ids",  "Id",   "ID",      "_key",
                                    "Key",  "_ref",  "Ref",  "_no",  "_number", "_code",
                                    "Code", "_uuid", "Uuid", "_uid", "_pk",     NULL};
    for (const char *const *v = V; *v; v++) {
        struct str end = str_of(*v);
        if (name.n > end.n && str_ends(name, end))
            return str_make(name.p, name.n - end.n);
    }
    return name;
}

bool words_same(struct str a, struct str b)
{
    char x[ROOM];
    char y[ROOM];
    struct str s = plain(a, x);
    struct str t = plain(b, y);
    if (s.n > t.n) {
        struct str swap = s;
        s = t;
        t = swap;
    }
    if (!s.n || !str_starts(t, s)) {
        return s.n > 2 && t.n == s.n + 2 && s.p[s.n - 1] == 'y' && str_ends(t, STR("ies")) &&
               memcmp(s.p, t.p, s.n - 1) == 0;
    }
    struct str rest = str_from(t, s.n);
    return !rest.n || str_is(rest, "s") || str_is(rest, "es");
}

bool words_ends(struct str name, struct str word)
{
    char x[ROOM];
    char y[ROOM];
    struct str s = plain(name, x);
    struct str t = plain(word, y);
    return t.n > 1 && str_ends(s, t);
}
