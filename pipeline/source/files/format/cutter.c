/* SPDX-License-Identifier: MIT */
/*
 * A push parser with two speeds. The skeleton (the containers that lead to items) is walked
 * byte by byte and strictly; items are skipped 64 bytes at a time; other values byte by byte
 * with their brackets matched, so that no missing bracket can hide items in a value that is
 * passed over. A container is one of a few roles; a table says which member or element leads
 * from which role to which.
 */
#include "pipeline/source/files/format/cutter.h"

#include "pipeline/source/files/format/chars.h"

enum role {
    ROLE_TOP,    /* values one after the other */
    ROLE_DOC,    /* object: Items, Responses, DataModel */
    ROLE_DOCS,   /* array of documents */
    ROLE_LISTS,  /* object: each member an array of items */
    ROLE_MODELS, /* array of Workbench tables */
    ROLE_MODEL,  /* object: TableData */
    ROLE_ITEMS,  /* array of items */
    ROLE_ITEM,
    ROLE_OTHER,
    ROLE_BAD
};

enum expect { EXPECT_VALUE, EXPECT_FIRST, EXPECT_COLON, EXPECT_NEXT, EXPECT_NAME };

enum mode { MODE_SKELETON, MODE_NAME, MODE_ITEM, MODE_TEXT, MODE_WORD, MODE_OTHER };

struct step {
    const char *name; /* NULL: any member, every element */
    unsigned char from, to;
    char opener; /* of the value; 0: any */
};

/* First match wins; none: the value is bad in an array, passed over in an object. */
static const struct step STEPS[] = {
    {"Items", ROLE_DOC, ROLE_ITEMS, '['},
    {"Items", ROLE_DOC, ROLE_OTHER, 'n'},
    {"Items", ROLE_DOC, ROLE_BAD, 0},
    {"Responses", ROLE_DOC, ROLE_LISTS, '{'},
    {"Responses", ROLE_DOC, ROLE_ITEMS, '['},
    {"Responses", ROLE_DOC, ROLE_BAD, 0},
    {"DataModel", ROLE_DOC, ROLE_MODELS, '['},
    {"DataModel", ROLE_DOC, ROLE_BAD, 0},
    {NULL, ROLE_DOC, ROLE_OTHER, 0},
    {NULL, ROLE_DOCS, ROLE_DOC, '{'},
    {NULL, ROLE_LISTS, ROLE_ITEMS, '['},
    {NULL, ROLE_MODELS, ROLE_MODEL, '{'},
    {"TableData", ROLE_MODEL, ROLE_ITEMS, '['},
    {"TableData", ROLE_MODEL, ROLE_OTHER, 'n'},
    {"TableData", ROLE_MODEL, ROLE_BAD, 0},
    {NULL, ROLE_MODEL, ROLE_OTHER, 0},
    {NULL, ROLE_ITEMS, ROLE_ITEM, 0},
};

void cutter_init(struct cutter *c, enum format format)
{
    *c = (struct cutter){.format = format, .expect = EXPECT_VALUE, .mode = MODE_SKELETON};
}

static enum role role_now(const struct cutter *c)
{
    return c->nframes ? (enum role)c->frames[c->nframes - 1] : ROLE_TOP;
}

static bool is_object(enum role r)
{
    return r == ROLE_DOC || r == ROLE_LISTS || r == ROLE_MODEL;
}

static enum role top_role(const struct cutter *c, char opener)
{
    if (c->format == FORMAT_SEQUENCE && opener == '{')
        return ROLE_ITEM;
    if (c->format == FORMAT_ARRAY && opener == '[')
        return ROLE_ITEMS;
    if (c->format != FORMAT_DOCUMENT)
        return ROLE_BAD;
    return opener == '{' ? ROLE_DOC : opener == '[' ? ROLE_DOCS : ROLE_BAD;
}

static enum role value_role(const struct cutter *c, char opener)
{
    enum role from = role_now(c);
    if (from == ROLE_TOP)
        return top_role(c, opener);
    struct str name = {c->name, c->name_n};
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++) {
        const struct step *s = &STEPS[i];
        if (s->from == from && (!s->opener || s->opener == opener) &&
            (!s->name || str_is(name, s->name))) {
            return (enum role)s->to;
        }
    }
    return ROLE_BAD;
}

/* A value is over; what may follow depends on the container. */
static void value_done(struct cutter *c)
{
    if (c->capture)
        buf_putc(c->names, ']');
    c->capture = false;
    c->mode = MODE_SKELETON;
    c->expect = c->nframes ? EXPECT_NEXT : EXPECT_VALUE;
}

static enum cut begin_item(struct cutter *c, char opener)
{
    c->skip = (struct skip){0};
    c->escaped = false;
    c->mode = opener == '{' || opener == '[' ? MODE_ITEM
              : opener == '"'                ? MODE_TEXT
                                             : MODE_WORD;
    c->nested = opener == '"'; /* the opening quote is still to come */
    return CUT_BEGIN;
}

/* Tables are numbered as they begin; the items of one that is not read are passed over. */
static enum role table_role(struct cutter *c, enum role role, char opener)
{
    enum role from = role_now(c);
    if (role == ROLE_MODEL)
        c->table++;
    if (from != ROLE_MODEL)
        return role;
    if (role == ROLE_ITEMS && c->only && c->only != c->table)
        return ROLE_OTHER;
    c->capture =
        c->names && opener == '"' && str_is((struct str){c->name, c->name_n}, "TableName");
    if (c->capture)
        buf_addf(c->names, "%s[%u,", c->names->len > 1 ? "," : "", c->table);
    return role;
}

static enum cut begin_value(struct cutter *c, char opener)
{
    if (char_in(opener, ",:]}"))
        return CUT_BAD;
    enum role role = table_role(c, value_role(c, opener), opener);
    if (role == ROLE_BAD)
        return CUT_BAD;
    if (role == ROLE_ITEM)
        return begin_item(c, opener);
    if (role == ROLE_OTHER) {
        c->mode = MODE_OTHER;
        c->nested = 0;
        c->skip = (struct skip){0};
        return CUT_MORE;
    }
    c->frames[c->nframes++] = (unsigned char)role; /* the deepest path has five */
    c->expect = EXPECT_FIRST;
    return CUT_MORE;
}

static bool closes(const struct cutter *c, char ch)
{
    return c->nframes && ch == (is_object(role_now(c)) ? '}' : ']');
}

static enum cut begin_name(struct cutter *c, char ch)
{
    if (ch != '"')
        return CUT_BAD;
    c->mode = MODE_NAME;
    c->name_n = 0;
    c->escaped = false;
    return CUT_MORE;
}

/* One byte of the skeleton. *taken is cleared if the byte belongs to what begins. */
static enum cut skeleton(struct cutter *c, char ch, bool *taken)
{
    bool object = is_object(role_now(c));
    if (char_blank(ch))
        return CUT_MORE;
    if (closes(c, ch) && (c->expect == EXPECT_FIRST || c->expect == EXPECT_NEXT)) {
        c->nframes--;
        value_done(c);
        return CUT_MORE;
    }
    switch ((enum expect)c->expect) {
    case EXPECT_COLON:
        c->expect = EXPECT_VALUE;
        return ch == ':' ? CUT_MORE : CUT_BAD;
    case EXPECT_NEXT:
        c->expect = object ? EXPECT_NAME : EXPECT_VALUE;
        return ch == ',' ? CUT_MORE : CUT_BAD;
    case EXPECT_NAME:
        return begin_name(c, ch);
    case EXPECT_FIRST:
        if (object)
            return begin_name(c, ch);
        break;
    case EXPECT_VALUE:
        break;
    }
    enum cut what = begin_value(c, ch);
    *taken = c->mode == MODE_SKELETON;
    return what;
}

static void in_name(struct cutter *c, char ch)
{
    if (!c->escaped && ch == '"') {
        c->mode = MODE_SKELETON;
        c->expect = EXPECT_COLON;
        return;
    }
    /* an escaped or long name is none of ours: the backslash keeps it from matching */
    c->escaped = !c->escaped && ch == '\\';
    if (c->name_n < CUTTER_NAME)
        c->name[c->name_n++] = ch;
}

static bool open_bracket(struct cutter *c, bool object)
{
    if (c->nested == CUTTER_NESTING)
        return false;
    uint64_t bit = (uint64_t)1 << (c->nested % 64);
    uint64_t *word = &c->objects[c->nested / 64];
    *word = object ? *word | bit : *word & ~bit;
    c->nested++;
    return true;
}

static bool close_bracket(struct cutter *c, bool object)
{
    if (c->nested == 0)
        return false;
    c->nested--;
    return (c->objects[c->nested / 64] >> (c->nested % 64) & 1) == object;
}

/* One byte of a value that holds no items. */
static enum cut in_other(struct cutter *c, char ch, bool *taken)
{
    if (c->skip.in_string) {
        c->skip.in_string = c->escaped || ch != '"';
        c->escaped = !c->escaped && ch == '\\';
        if (!c->skip.in_string && c->nested == 0)
            value_done(c);
        return CUT_MORE;
    }
    bool ends = ch == '}' || ch == ']';
    if (c->nested == 0 && (ends || ch == ',' || char_blank(ch))) {
        *taken = false;
        value_done(c);
        return CUT_MORE;
    }
    c->escaped = false;
    c->skip.in_string = ch == '"';
    if (ch == '{' || ch == '[')
        return open_bracket(c, ch == '{') ? CUT_MORE : CUT_BAD;
    if (!ends)
        return CUT_MORE;
    if (!close_bracket(c, ch == '}'))
        return CUT_BAD;
    if (c->nested == 0)
        value_done(c);
    return CUT_MORE;
}

/* One byte of an item that is a string or a bare word: no item, but a reject to be. */
static enum cut in_text(struct cutter *c, char ch, bool *taken)
{
    if (c->mode == MODE_WORD) {
        if (ch != ',' && ch != ']' && ch != '}' && !char_blank(ch))
            return CUT_MORE;
        *taken = false;
        value_done(c);
        return CUT_END;
    }
    if (c->nested) {
        c->nested = 0;
        return CUT_MORE;
    }
    bool ends = !c->escaped && ch == '"';
    c->escaped = !c->escaped && ch == '\\';
    if (!ends)
        return CUT_MORE;
    value_done(c);
    return CUT_END;
}

static enum cut one_byte(struct cutter *c, char ch, bool *taken)
{
    switch ((enum mode)c->mode) {
    case MODE_SKELETON:
        return skeleton(c, ch, taken);
    case MODE_NAME:
        in_name(c, ch);
        return CUT_MORE;
    case MODE_OTHER:
        if (c->capture)
            buf_putc(c->names, ch);
        return in_other(c, ch, taken);
    case MODE_ITEM:
    case MODE_TEXT:
    case MODE_WORD:
        break;
    }
    return in_text(c, ch, taken);
}

size_t cutter_feed(struct cutter *c, const char *p, size_t n, enum cut *what)
{
    size_t at = 0;
    *what = CUT_MORE;
    while (at < n && *what == CUT_MORE) {
        if (c->mode == MODE_ITEM) {
            bool done;
            at += skip_run(&c->skip, p + at, n - at, &done);
            if (!done)
                break;
            value_done(c);
            *what = CUT_END;
            break;
        }
        bool taken = true;
        *what = one_byte(c, p[at], &taken);
        if (taken && *what != CUT_BAD)
            at++;
    }
    return at;
}

bool cutter_complete(const struct cutter *c)
{
    return c->mode == MODE_SKELETON && c->nframes == 0 && c->expect == EXPECT_VALUE;
}
