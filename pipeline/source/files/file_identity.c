/* SPDX-License-Identifier: MIT */
/*
 * Identities are lines; a file's begins with its name in quotes and, where it was looked at itself,
 * ends with `size N mtime N` (nanoseconds). Names come in the order in which they are read, so
 * one that is on one side only shows as two names that differ.
 */
#include "pipeline/source/files/file_identity.h"

#include "pipeline/item/timestamp.h"

enum { SHOWN = 200 };

static struct str first_line(struct str *text)
{
    const char *end = text->n ? memchr(text->p, '\n', text->n) : NULL;
    struct str line = str_make(text->p, end ? (size_t)(end - text->p) : text->n);
    *text = str_from(*text, end ? line.n + 1 : line.n);
    return line;
}

/* With its quotes; empty where the line is not about a file. */
static struct str name_of(struct str line)
{
    if (!str_starts(line, STR("\"")))
        return (struct str){0};
    size_t at = 1;
    while (at < line.n && line.p[at] != '"')
        at += line.p[at] == '\\' ? 2 : 1;
    return at < line.n ? str_make(line.p, at + 1) : (struct str){0};
}

static bool has_name(struct str text, struct str name)
{
    while (text.n) {
        if (str_eq(name_of(first_line(&text)), name))
            return true;
    }
    return false;
}

/* The number behind the last such word. */
static bool number(struct str line, struct str word, unsigned long long *out)
{
    for (size_t at = line.n; at-- > 0;) {
        if (!str_starts(str_from(line, at), word))
            continue;
        struct str rest = str_from(line, at + word.n);
        const char *space = memchr(rest.p, ' ', rest.n);
        if (space)
            rest.n = (size_t)(space - rest.p);
        return str_uint(rest, out);
    }
    return false;
}

static void add_line(struct buf *out, struct str line)
{
    if (line.n > SHOWN)
        line.n = SHOWN;
    buf_addf(out, "%.*s", STR_FMT(line));
}

static void changed_file(struct buf *out, struct str name, struct str was, struct str is)
{
    unsigned long long size[2], mtime[2];
    add_line(out, name);
    bool known = number(was, STR(" size "), &size[0]) && number(is, STR(" size "), &size[1]) &&
                 number(was, STR(" mtime "), &mtime[0]) &&
                 number(is, STR(" mtime "), &mtime[1]);
    if (known && size[0] != size[1]) {
        buf_addf(out, " had %llu bytes, it has %llu", size[0], size[1]);
    } else if (known && mtime[0] != mtime[1]) {
        buf_puts(out, " was written at ");
        timestamp_add_stamp(out, (int64_t)(mtime[0] / 1000));
        buf_puts(out, " and again at ");
        timestamp_add_stamp(out, (int64_t)(mtime[1] / 1000));
    } else {
        buf_puts(out, " was \"");
        add_line(out, str_from(was, name.n + 1));
        buf_puts(out, "\", it is \"");
        add_line(out, str_from(is, name.n + 1));
        buf_puts(out, "\"");
    }
}

void file_identity_difference(struct buf *out, struct str was, struct str is)
{
    struct str rest[2] = {was, is}, line[2] = {{0}, {0}};
    do {
        line[0] = first_line(&rest[0]);
        line[1] = first_line(&rest[1]);
    } while (str_eq(line[0], line[1]) && (rest[0].n || rest[1].n));
    struct str name[2] = {name_of(line[0]), name_of(line[1])};
    if (str_eq(line[0], line[1]))
        return;
    if (name[0].n && str_eq(name[0], name[1])) {
        changed_file(out, name[0], line[0], line[1]);
    } else if (name[1].n && !has_name(was, name[1])) {
        add_line(out, name[1]);
        buf_puts(out, " was not there");
    } else if (name[0].n && !has_name(is, name[0])) {
        add_line(out, name[0]);
        buf_puts(out, " is gone");
    } else {
        buf_puts(out, "it was \"");
        add_line(out, line[0]);
        buf_puts(out, "\", it is \"");
        add_line(out, line[1]);
        buf_puts(out, "\"");
    }
}
