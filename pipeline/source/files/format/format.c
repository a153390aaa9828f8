/* SPDX-License-Identifier: MIT */
/*
 * The first value decides where it can: an array, a document by the names and kinds of its
 * first members, an item by a member whose value is an object. Where the first line is
 * nothing of that, later lines are looked at: one broken line must not make a file unknown.
 */
#include "pipeline/source/files/format/format.h"

#include "pipeline/source/files/format/cursor.h"

enum sign { SIGN_NONE, SIGN_ITEM, SIGN_DOCUMENT, SIGN_CHANGES, SIGN_PLAIN };

const char *format_name(enum format f)
{
    static const char *const NAMES[] = {
        [FORMAT_EMPTY] = "empty",       [FORMAT_LINES] = "lines",
        [FORMAT_SEQUENCE] = "sequence", [FORMAT_ARRAY] = "array",
        [FORMAT_DOCUMENT] = "document",
    };
    return NAMES[f];
}

/* Members that make an object a document, and the kind of value they have there. */
static const struct {
    const char *name, *kinds;
} DOCUMENT[] = {
    {"Items", "["},       {"Responses", "{["},      {"DataModel", "["},
    {"ModelName", "\""},  {"ModelMetadata", "{"},   {"LastEvaluatedKey", "{n"},
    {"Count", "0"},       {"ScannedCount", "0"},    {"ConsumedCapacity", "{[n"},
    {"NextToken", "\"n"}, {"UnprocessedKeys", "{"}, {"ResponseMetadata", "{"},
    {"$metadata", "{"},
};

static bool of_document(struct str name, char kind)
{
    if (kind >= '0' && kind <= '9')
        kind = '0';
    for (size_t i = 0; i < sizeof DOCUMENT / sizeof DOCUMENT[0]; i++) {
        if (str_is(name, DOCUMENT[i].name) && kind && strchr(DOCUMENT[i].kinds, kind))
            return true;
    }
    return false;
}

static enum sign member_sign(struct cursor l)
{
    struct str name;
    if (!cursor_string(&l, &name) || !cursor_eat(&l, ':'))
        return SIGN_NONE;
    char kind = cursor_peek(&l);
    if (kind == '{' && cursor_tagged(l))
        return SIGN_ITEM;
    if (of_document(name, kind))
        return SIGN_DOCUMENT;
    if (kind != '{')
        return kind ? SIGN_PLAIN : SIGN_NONE;
    struct str inner;
    if (str_is(name, "Metadata") && cursor_eat(&l, '{') && cursor_string(&l, &inner) &&
        str_is(inner, "WriteTimestampMicros")) {
        return SIGN_CHANGES;
    }
    return SIGN_ITEM;
}

/* Does the member at hand make a document whatever stands before it? */
static bool of_workbench(struct cursor l)
{
    struct str name;
    return cursor_string(&l, &name) && str_is(name, "DataModel");
}

/* What the object at hand is, told by the first of its members that tells anything. */
static enum sign object_sign(struct cursor l)
{
    struct str name;
    enum sign found = SIGN_NONE;
    if (!cursor_eat(&l, '{'))
        return SIGN_NONE;
    do {
        enum sign s = member_sign(l);
        /* behind a scalar of the application's own, "Count" is the application's as well */
        bool own = s == SIGN_DOCUMENT && found == SIGN_PLAIN && !of_workbench(l);
        if (s != SIGN_NONE && s != SIGN_PLAIN && !own)
            return s;
        if (s == SIGN_PLAIN)
            found = s;
        if (!cursor_string(&l, &name) || !cursor_eat(&l, ':') || !cursor_value(&l))
            return found;
    } while (cursor_eat(&l, ','));
    return found;
}

/* A pretty-printed object: its first line ends after "{", "[" or ",". */
static bool runs_on(struct cursor l)
{
    const char *nl = memchr(l.s.p + l.at, '\n', l.s.n - l.at);
    if (!nl)
        return false;
    size_t end = (size_t)(nl - l.s.p);
    while (end > l.at && char_in(l.s.p[end - 1], " \t\r"))
        end--;
    if (end == l.at || !char_in(l.s.p[end - 1], "{[,"))
        return false;
    l.at = (size_t)(nl - l.s.p);
    return char_in(cursor_peek(&l), "\"}]");
}

/* The sign of the first line that has one. */
static enum sign later_lines(struct cursor l)
{
    for (;;) {
        const char *nl = l.at < l.s.n ? memchr(l.s.p + l.at, '\n', l.s.n - l.at) : NULL;
        if (!nl)
            return SIGN_NONE;
        l.at = (size_t)(nl - l.s.p) + 1;
        const char *end = memchr(l.s.p + l.at, '\n', l.s.n - l.at);
        struct cursor line = {str_make(l.s.p, end ? (size_t)(end - l.s.p) : l.s.n), l.at};
        enum sign s = object_sign(line);
        if (s == SIGN_ITEM)
            return s;
    }
}

static bool is_array_of_documents(struct cursor l)
{
    return cursor_eat(&l, '[') && object_sign(l) == SIGN_DOCUMENT;
}

/* What other bytes begin with, for a message that helps. */
static const char *other_kind(struct str s)
{
    static const struct {
        const char *magic;
        size_t n;
        const char *kind;
    } KINDS[] = {
        {"\xff\xfe", 2, "UTF-16 text"},
        {"\xfe\xff", 2, "UTF-16 text"},
        {"PK\x03\x04", 4, "a zip file"},
        {"PAR1", 4, "a Parquet file"},
        {"BZh", 3, "a bzip2 file"},
        {"\xfd"
         "7zXZ",
         5, "an xz file"},
        {"$ion_1_0", 8, "Amazon Ion"},
        {"\xe0\x01\x00\xea", 4, "Amazon Ion"},
        {"<", 1, "XML or HTML"},
    };
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (str_starts(s, str_make(KINDS[i].magic, KINDS[i].n)))
            return KINDS[i].kind;
    }
    return NULL;
}

static enum rc unknown(struct str head, enum sign sign, const char *name, struct err *err)
{
    const char *kind = other_kind(head);
    if (sign == SIGN_CHANGES) {
        (void)err_set(err, RC_USAGE, "\"%s\" holds changes of an incremental export, not items",
                      name);
        return err_hint(err, "give a full export of the table");
    }
    if (kind) {
        (void)err_set(err, RC_USAGE, "\"%s\" is %s, not DynamoDB JSON", name, kind);
    } else {
        char seen[41];
        size_t n = 0;
        for (; n < head.n && n < sizeof seen - 1 && head.p[n] >= ' ' && head.p[n] < 127; n++)
            seen[n] = head.p[n];
        seen[n] = '\0';
        bool odd = n < head.n && n < sizeof seen - 1 && head.p[n] != '\n' && head.p[n] != '\r';
        (void)err_set(err, RC_USAGE, "\"%s\" is not DynamoDB JSON: it begins with \"%s\"%s",
                      name, seen, odd ? " and unprintable bytes" : "");
    }
    return err_hint(err, "renorm reads items such as {\"PK\":{\"S\":\"x\"}} or {\"PK\":\"x\"}, "
                         "one per line or in "
                         "an array, {\"Item\":{..}} lines, and Scan, Query, BatchGetItem or "
                         "NoSQL Workbench documents");
}

enum rc format_guess(struct str head, bool all, const char *name, enum format *out,
                     struct err *err)
{
    struct cursor l = {head, 0};
    char c = cursor_peek(&l);
    *out = FORMAT_LINES;
    if (l.at == head.n) {
        *out = FORMAT_EMPTY;
        return all ? RC_OK : unknown(head, SIGN_NONE, name, err);
    }
    if (c == '[') {
        *out = is_array_of_documents(l) ? FORMAT_DOCUMENT : FORMAT_ARRAY;
        return RC_OK;
    }
    enum sign sign = object_sign(l);
    if (sign == SIGN_DOCUMENT) {
        *out = FORMAT_DOCUMENT;
    } else if (sign == SIGN_ITEM || sign == SIGN_PLAIN) {
        *out = runs_on(l) ? FORMAT_SEQUENCE : FORMAT_LINES;
    } else if (sign == SIGN_CHANGES || (later_lines(l) != SIGN_ITEM && (c != '{' || sign))) {
        return unknown(str_from(head, l.at), sign, name, err);
    }
    return RC_OK;
}
