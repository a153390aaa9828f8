/* SPDX-License-Identifier: MIT */
/* Reserved words are not refused: the list belongs to the service. At most 64 names and values. */
#define _GNU_SOURCE
#include "tests/sim/lex.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#include "tests/sim/av.h"

static bool wordy(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static enum lex_kind kind_of(char first)
{
    if (first == '#')
        return LEX_ALIAS;
    if (first == ':')
        return LEX_VALUE;
    if (isdigit((unsigned char)first))
        return LEX_NUMBER;
    return wordy(first) ? LEX_NAME : LEX_SIGN;
}

static bool two_signs(char a, char b)
{
    return (a == '<' && (b == '>' || b == '=')) || (a == '>' && b == '=');
}

void lex_next(struct lex *l)
{
    while (l->at < l->text.n && isspace((unsigned char)l->text.p[l->at]))
        l->at++;
    size_t start = l->at;
    if (start == l->text.n) {
        l->kind = LEX_END;
        l->word = STR("<end>");
        return;
    }
    char c = l->text.p[l->at++];
    l->kind = kind_of(c);
    if (l->kind == LEX_SIGN)
        l->at += l->at < l->text.n && two_signs(c, l->text.p[l->at]);
    while (l->kind != LEX_SIGN && l->at < l->text.n && wordy(l->text.p[l->at]))
        l->at++;
    l->word = str_make(l->text.p + start, l->at - start);
}

void lex_init(struct lex *l, struct lex_scope *scope, struct str text)
{
    *l = (struct lex){.scope = scope, .text = text};
    lex_next(l);
}

bool lex_is(const struct lex *l, const char *word)
{
    return l->kind != LEX_END && l->word.n == strlen(word) &&
           strncasecmp(l->word.p, word, l->word.n) == 0;
}

bool lex_take(struct lex *l, const char *word)
{
    if (!lex_is(l, word))
        return false;
    lex_next(l);
    return true;
}

void lex_fail(struct lex *l, const char *message)
{
    if (l->scope->error[0] == '\0') {
        (void)snprintf(l->scope->error, sizeof l->scope->error,
                       "Invalid expression: %s; token: \"%.*s\", near: \"%.*s\"", message,
                       STR_FMT(l->word), STR_FMT(l->text));
    }
    l->at = l->text.n;
    l->kind = LEX_END;
}

void lex_expect(struct lex *l, const char *word)
{
    char text[64];
    (void)snprintf(text, sizeof text, "Syntax error; expected %s", word);
    if (!lex_take(l, word))
        lex_fail(l, text);
}

static yyjson_val *lookup(yyjson_val *obj, struct str name, uint64_t *used)
{
    unsigned index = 0;
    yyjson_obj_iter it = yyjson_obj_iter_with(obj);
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it), index++) {
        if (!str_eq(av_text(k), name))
            continue;
        *used |= index < 64 ? UINT64_C(1) << index : 0;
        return yyjson_obj_iter_get_val(k);
    }
    return NULL;
}

struct str lex_attribute(struct lex *l)
{
    struct str name = l->word;
    if (l->kind == LEX_ALIAS) {
        yyjson_val *v = lookup(l->scope->names, name, &l->scope->used_names);
        if (!yyjson_is_str(v)) {
            lex_fail(l,
                     "An expression attribute name used in the document path is not defined");
        }
        name = av_text(v);
    } else if (l->kind != LEX_NAME) {
        lex_fail(l, "Syntax error; expected an attribute name");
    }
    lex_next(l);
    return name;
}

yyjson_val *lex_value(struct lex *l)
{
    yyjson_val *v = lookup(l->scope->values, l->word, &l->scope->used_values);
    if (!v)
        lex_fail(l, "An expression attribute value used in expression is not defined");
    lex_next(l);
    return v;
}

static void check(struct lex_scope *s, yyjson_val *given, uint64_t used, const char *what)
{
    unsigned index = 0;
    yyjson_obj_iter it = yyjson_obj_iter_with(given);
    for (yyjson_val *k = yyjson_obj_iter_next(&it); k; k = yyjson_obj_iter_next(&it), index++) {
        if (index < 64 && !(used >> index & 1) && s->error[0] == '\0') {
            (void)snprintf(s->error, sizeof s->error,
                           "Value provided in %s unused in expressions: keys: {%s}", what,
                           yyjson_get_str(k));
        }
    }
}

void lex_check_used(struct lex_scope *s)
{
    check(s, s->names, s->used_names, "ExpressionAttributeNames");
    check(s, s->values, s->used_values, "ExpressionAttributeValues");
}
