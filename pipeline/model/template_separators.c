/* SPDX-License-Identifier: MIT */
/*
 * A template's separators are the runs of its literals that are neither letters nor digits: "#" of
 * `ORDER#{order_id}#{line}`, "::" of `a::{b}`. A part may be forbidden to hold any of them.
 */
#include "pipeline/model/template.h"

bool template_is_separator(char c)
{
    unsigned char u = (unsigned char)c;
    bool letter = (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z');
    return !letter && !(u >= '0' && u <= '9') && u < 0x80;
}

/* The next run of separators at or behind *at; empty when there is none. */
static struct str next_run(struct str s, size_t *at)
{
    while (*at < s.n && !template_is_separator(s.p[*at]))
        ++*at;
    size_t from = *at;
    while (*at < s.n && template_is_separator(s.p[*at]))
        ++*at;
    return str_make(s.p + from, *at - from);
}

struct str template_separator_in(const struct template *t, struct str text)
{
    for (uint32_t i = 0; i < t->n; i++) {
        size_t at = 0;
        struct str run = {0};
        while (t->pieces[i].literal && (run = next_run(t->pieces[i].text, &at)).n) {
            if (str_find(text, run, 0) < text.n)
                return run;
        }
    }
    return (struct str){0};
}

bool template_has_separator(const struct template *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        size_t at = 0;
        if (t->pieces[i].literal && next_run(t->pieces[i].text, &at).n)
            return true;
    }
    return false;
}

void template_forbid_separators(struct template *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        struct template_piece *p = &t->pieces[i];
        if (!p->literal && p->type == COL_TEXT && p->separators == SEPARATORS_UNSAID)
            p->separators = SEPARATORS_NONE;
    }
}
