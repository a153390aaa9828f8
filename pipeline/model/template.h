/* SPDX-License-Identifier: MIT */
/*
 * Templates such as `ORDER#{order_id}#{n:bigint:3}` and `{state|lower}#{city?}`. As a key
 * template a text is matched and split into parts; as an expression it is printed from
 * values. Literals and parts alternate; `{{` and `}}` stand for the braces themselves.
 */
#ifndef MODEL_TEMPLATE_H
#define MODEL_TEMPLATE_H

#include "pipeline/base/arena.h"
#include "pipeline/base/buf.h"
#include "pipeline/item/cast/cast.h"

enum template_func_kind { TPL_LOWER, TPL_UPPER, TPL_PAD, TPL_DATE, TPL_SHA256, TPL_TRIM };

struct template_func {
    enum template_func_kind kind;
    uint32_t arg; /* pad: width; date: the enum time_unit of a number */
};

/* Of a key's part: may it hold what separates the parts? */
enum part_separators {
    SEPARATORS_UNSAID = 0,
    SEPARATORS_NONE, /* {a:no-sep} */
    SEPARATORS_ANY   /* {a:sep} */
};

struct template_piece {
    bool literal;
    struct str
        text; /* the literal's bytes, or the part's name (expressions: a text for path_parse) */
    enum col_type type; /* parts: COL_TEXT unless typed */
    uint32_t pad;       /* {n:bigint:3}: digits */
    enum part_separators separators;
    bool optional; /* {part?}: may be absent with the literal before it, and all after */
    struct template_func *funcs; /* expressions: {a|lower|pad:5} */
    uint32_t nfuncs;
    size_t at; /* offset in the template as written */
};

struct template
{
    struct str text; /* as written */
    struct template_piece *pieces;
    uint32_t n;
    uint32_t nparts; /* pieces that are not literals */
};

/* Parses. On failure RC_USAGE, *at is the offset in text of what is wrong and err->msg says what. */
enum rc template_parse(struct str text, struct arena *a, struct template *out, size_t *at,
                       struct err *err) MUST_CHECK;

/* Parts of a key template at most: who matches one keeps room for them. */
enum { TPL_PARTS = 64 };

/* The rules a key template must keep beyond its syntax (a literal between two parts, optional
   parts only at the end, no functions, types that can be checked, no more than TPL_PARTS parts).
   As above on failure. */
enum rc template_check_key(const struct template *t, size_t *at, struct err *err) MUST_CHECK;

/*
 * Matches a key template without backtracking: a part takes the shortest non-empty run up to
 * the next literal, the last one the rest; the result must print back byte for byte, typed
 * parts too. parts[i] is a view into text for the i-th part, {NULL,0} if absent.
 */
bool template_match(const struct template *t, struct str text, struct str *parts);

/* The first separator of the template that the text holds, or an empty text. */
struct str template_separator_in(const struct template *t, struct str text);

bool template_is_separator(char c);
bool template_has_separator(const struct template *t);

/* Its parts of text may hold none, unless they say themselves what they may. */
void template_forbid_separators(struct template *t);

/*
 * Prints an expression. `get` gives the value of pieces[piece] (NULL or missing: not there); S, N
 * (canonical digits) and BOOL can be printed, B too if the whole template is that one part.
 * RC_OK; RC_NONE: an input is missing; RC_DATA with why: a value that cannot be printed.
 */
typedef const struct val *tpl_get(void *ctx, uint32_t piece);
enum rc template_print(const struct template *t, tpl_get *get, void *ctx, struct buf *out,
                       struct fault *why) MUST_CHECK;

#endif
