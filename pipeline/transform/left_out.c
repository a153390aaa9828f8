/* SPDX-License-Identifier: MIT */
/* A cell may span several pieces, as dates and addresses do: it is compared where a piece begins, and
   must end where one ends (cast_covers.h). */
#include "pipeline/transform/left_out.h"

#include "pipeline/item/canon.h"
#include "pipeline/item/cast/cast_covers.h"

/* Returns the most of the text that a cell covers: the date, not the year. Cells whose text is
   searched take longest and come last. */
static size_t find(const struct left_out_rows *rows, bool searched, struct str text)
{
    size_t most = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct table *t = &rows->schema->tables[rows->v[i].table];
        const struct datum *cells = rows->v[i].cells;
        for (uint32_t c = 0; c < t->ncolumns; c++) {
            enum col_type type = t->columns[c].type;
            if (cells[c].state != DATUM_VALUE ||
                column_type_has(type, COLUMN_SEARCHED) != searched)
                continue;
            size_t n = cast_covers(type, &cells[c], text);
            most = n > most ? n : most;
            if (n && (n == text.n || text.p[n] == '#'))
                return n;
        }
    }
    return most;
}

static size_t find_any(const struct left_out_rows *rows, struct str text)
{
    size_t n = find(rows, false, text);
    return n ? n : find(rows, true, text);
}

/* A piece may be the end of a cell that begins with words without a digit: "u-19". Returns where
   such a cell ends, if it began between `from` and `at`; 0: there is none. */
static size_t find_around(const struct left_out_rows *rows, struct str text, size_t from,
                          size_t at)
{
    for (size_t i = from; i < at; i++) {
        bool begins =
            cast_covers_in_word(text.p[i]) && (i == 0 || !cast_covers_in_word(text.p[i - 1]));
        size_t n = begins ? find(rows, false, str_from(text, i)) : 0;
        if (i + n > at)
            return i + n;
    }
    return 0;
}

/* True if one of the eight bytes at p may be a digit: its upper half is 3. */
static inline bool may_have_digit(const char *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    v = (v & 0xF0F0F0F0F0F0F0F0U) ^ 0x3030303030303030U;
    return ((v - 0x0101010101010101U) & ~v & 0x8080808080808080U) != 0;
}

/* Returns where the next digit stands, from `at` on, or the end of the text. */
static inline size_t find_digit(struct str text, size_t at)
{
    while (text.n - at >= 8 && !may_have_digit(text.p + at))
        at += 8;
    /* The last eight bytes may overlap those before them. */
    if (text.n >= 8 && text.n - at < 8 && !may_have_digit(text.p + text.n - 8))
        return text.n;
    while (at < text.n && !cast_covers_is_digit(text.p[at]))
        at++;
    return at;
}

/* `at` is where the first digit stands. */
static bool text_is_said(struct str text, size_t at, const struct left_out_rows *rows)
{
    for (size_t said = 0; at < text.n;) { /* up to `said` cells were found */
        while (at > said && cast_covers_in_word(text.p[at - 1]))
            at--;
        size_t n = find_any(rows, str_from(text, at));
        said = n ? at + n : find_around(rows, text, said, at);
        if (said == 0)
            return false;
        at = said == text.n ? said : find_digit(text, said);
    }
    return true;
}

bool left_out_is_said(const struct val *v, const struct left_out_rows *rows)
{
    if (v->kind != VAL_S && v->kind != VAL_N)
        return v->kind == VAL_NULL; /* nobody compares binary and maps */
    size_t at = find_digit(v->u.s, 0);
    return at == v->u.s.n || text_is_said(v->u.s, at, rows);
}

static enum rc add_example(struct note_examples *x, uint32_t note, const struct member *left,
                           struct buf *text)
{
    buf_clear(text);
    buf_addf(text, "%.*s ", STR_FMT(left->name));
    canon_plain(text, &left->val, NULL);
    if (!text->rc)
        note_examples_add(x, note, buf_view(text));
    return text->rc;
}

enum rc left_out_tell(const struct left_out_rows *rows, struct notes *notes, uint32_t note,
                      struct note_examples *examples, struct buf *text)
{
    const struct left_outs *left = &notes->left;
    uint32_t most = sizeof left->v / sizeof left->v[0];
    uint32_t n = left->n < most ? left->n : most;
    enum rc rc = RC_OK;
    for (uint32_t i = 0; !rc && i < n; i++) {
        const struct member *m = left->v[i];
        if (left_out_is_said(&m->val, rows))
            continue;
        notes_add(notes, note, 1);
        if (examples && note_examples_wanted(examples, note))
            rc = add_example(examples, note, m, text);
    }
    return rc;
}
