/* SPDX-License-Identifier: MIT */
/* The words of DynamoDB expressions, with the names and values they refer to. */
#ifndef SIM_LEX_H
#define SIM_LEX_H

#include <stdint.h>
#include <yyjson.h>

#include "pipeline/base/str.h"

enum lex_kind { LEX_END, LEX_NAME, LEX_ALIAS, LEX_VALUE, LEX_NUMBER, LEX_SIGN };

/* What all expressions of one request share. All is borrowed from the parsed request. */
struct lex_scope {
    yyjson_val *names, *values; /* ExpressionAttributeNames and -Values, may be NULL */
    yyjson_val *item;           /* what paths are read from; NULL = no such item */
    uint64_t used_names, used_values;
    char error[512]; /* empty while all is well; the first error stays */
};

struct lex {
    struct lex_scope *scope;
    struct str text;
    size_t at;
    enum lex_kind kind; /* of the word at hand */
    struct str word;
};

void lex_init(struct lex *l, struct lex_scope *scope, struct str text);
void lex_next(struct lex *l);

/* The word at hand is this sign or keyword (any case of letters). */
bool lex_is(const struct lex *l, const char *word);

/* If it is, go on to the next. */
bool lex_take(struct lex *l, const char *word);
void lex_expect(struct lex *l, const char *word);
void lex_fail(struct lex *l, const char *message);

/* Attribute name behind the word at hand (a name or #alias); then goes on. */
struct str lex_attribute(struct lex *l);

/* Value behind :alias; then goes on. NULL if there is none. */
yyjson_val *lex_value(struct lex *l);

/* Records an error if a name or value was given but not used. */
void lex_check_used(struct lex_scope *s);

#endif
