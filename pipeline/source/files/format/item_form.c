/* SPDX-License-Identifier: MIT */
/*
 * A member with a type tag makes an item typed; where none has one, a member that is no object makes
 * it plain. Maps without tags are members of plain items and tell nothing alone.
 */
#include "pipeline/source/files/format/item_form.h"

#include "pipeline/base/utf8.h"
#include "pipeline/source/files/format/cursor.h"

/* Moves to the value of a member of that name and kind, inside an object. */
static bool find_member(struct cursor *l, const char *wanted, const char *kinds)
{
    struct str name;
    if (!cursor_eat(l, '{'))
        return false;
    do {
        if (!cursor_string(l, &name) || !cursor_eat(l, ':'))
            return false;
        if (str_is(name, wanted))
            return char_in(cursor_peek(l), kinds);
    } while (cursor_value(l) && cursor_eat(l, ','));
    return false;
}

/* Into the first list of items of a document. */
static bool into_document(struct cursor *l)
{
    struct cursor items = *l, answers = *l;
    if (find_member(&items, "Items", "[")) {
        *l = items;
        return cursor_eat(l, '[');
    }
    if (!find_member(&answers, "Responses", "[{"))
        return false;
    *l = answers;
    struct str table;
    if (cursor_eat(l, '{') && (!cursor_string(l, &table) || !cursor_eat(l, ':')))
        return false;
    return cursor_eat(l, '[');
}

/* Past {"Item": of what an export or a scan writes. */
static void unwrap_item(struct cursor *l)
{
    struct cursor inner = *l;
    struct str name;
    if (cursor_eat(&inner, '{') && cursor_string(&inner, &name) && str_is(name, "Item") &&
        cursor_eat(&inner, ':') && cursor_peek(&inner) == '{' && !cursor_tagged(inner))
        *l = inner;
}

/*
 * From a line or element to the item in it; a reject has it behind the reason, as it was read. False
 * if that is kept as bytes, which tells nothing.
 */
static bool unwrap(struct cursor *l)
{
    struct cursor reject = *l, item = *l, bytes = *l;
    if (find_member(&reject, "renorm", "{")) {
        if (find_member(&bytes, "item_base64", "\""))
            return false;
        if (find_member(&item, "item", "{"))
            *l = item;
    }
    unwrap_item(l);
    return true;
}

/* *members counts those that were seen. */
static enum decoder_parse form_of(struct cursor l, unsigned *members)
{
    enum decoder_parse form = DECODER_TEXT;
    struct str name;
    if (!unwrap(&l) || !cursor_eat(&l, '{'))
        return form;
    do {
        if (!cursor_string(&l, &name) || !cursor_eat(&l, ':'))
            return form;
        char kind = cursor_peek(&l);
        *members += kind != '\0';
        if (kind == '{' && cursor_tagged(l))
            return DECODER_TYPED;
        if (kind != '{' && kind != '\0')
            form = DECODER_PLAIN;
    } while (cursor_value(&l) && cursor_eat(&l, ','));
    return form;
}

/* The first item, shortened, and what was expected. */
static enum rc neither(struct cursor l, const char *name, struct err *err)
{
    char shown[121];
    size_t n = 0;
    for (size_t i = l.at; i < l.s.n && n < sizeof shown - 1 && l.s.p[i] != '\n'; i++)
        shown[n++] = l.s.p[i];
    struct str cut = utf8_cut(str_make(shown, n), sizeof shown - 1);
    (void)err_set(err, RC_USAGE,
                  "the items of \"%s\" are neither DynamoDB JSON nor plain JSON; the first is "
                  "%.*s",
                  name, STR_FMT(cut));
    return err_hint(err,
                    "renorm expects {\"PK\":{\"S\":\"x\"}} or {\"PK\":\"x\"}; --form dynamodb "
                    "or --form plain reads them as one of the two");
}

enum rc item_form(struct str head, const char *name, enum format format,
                  enum decoder_parse *out, struct err *err)
{
    struct cursor l = {head, 0};
    unsigned members = 0;
    *out = DECODER_TEXT;
    if (format == FORMAT_EMPTY)
        return RC_OK;
    if (format == FORMAT_ARRAY || cursor_peek(&l) == '[')
        (void)cursor_eat(&l, '[');
    if (format == FORMAT_DOCUMENT && !into_document(&l))
        return RC_OK;
    (void)cursor_peek(&l);
    struct cursor first = l;
    *out = form_of(l, &members);
    while (format == FORMAT_LINES && *out == DECODER_TEXT) {
        const char *nl = memchr(l.s.p + l.at, '\n', l.s.n - l.at);
        if (!nl)
            break;
        l.at = (size_t)(nl - l.s.p) + 1;
        *out = form_of(l, &members);
    }
    return *out == DECODER_TEXT && members > 0 ? neither(first, name, err) : RC_OK;
}
