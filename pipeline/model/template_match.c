/* SPDX-License-Identifier: MIT */
/*
 * Matching: literals are compared, a part runs to the first sight of the literal behind it. A
 * typed part must be the one spelling its type prints, so that the match can be printed back
 * byte for byte; untyped parts and literals print back by construction.
 */
#include "pipeline/item/cast/column_type.h"
#include "pipeline/model/template.h"
#include "pipeline/model/template_tail.h"

uint32_t template_tail(const struct template *t, uint32_t part)
{
    return part > 1 && t->pieces[part - 1].literal ? part - 1 : part;
}

/* True if a text may end before piece i: what is left is an optional tail. */
static bool may_end(const struct template *t, uint32_t i)
{
    for (uint32_t part = i; part < t->n && part <= i + 1; part++) {
        if (t->pieces[part].optional && template_tail(t, part) == i)
            return true;
    }
    return false;
}

/* Finds where the part that is piece i ends: at the next literal, or with the text. */
static size_t part_end(const struct template *t, uint32_t i, struct str text, size_t from)
{
    if (i + 1 == t->n)
        return text.n;
    size_t hit = str_find(text, t->pieces[i + 1].text, from + 1);
    if (hit == text.n && !may_end(t, i + 1))
        return from;
    return hit;
}

bool template_match(const struct template *t, struct str text, struct str *parts)
{
    size_t at = 0;
    uint32_t part = 0;
    for (uint32_t i = 0; i < t->nparts; i++)
        parts[i] = (struct str){0};
    for (uint32_t i = 0; i < t->n; i++) {
        const struct template_piece *p = &t->pieces[i];
        if (at == text.n && may_end(t, i))
            return true;
        if (p->literal) {
            if (!str_starts(str_from(text, at), p->text))
                return false;
            at += p->text.n;
            continue;
        }
        size_t end = at < text.n ? part_end(t, i, text, at) : at;
        struct str found = str_make(text.p + at, end - at);
        if (found.n == 0 || !column_type_spells(p->type, p->pad, found))
            return false;
        if (p->separators == SEPARATORS_NONE && template_separator_in(t, found).n)
            return false;
        parts[part++] = found;
        at = end;
    }
    return at == text.n;
}
