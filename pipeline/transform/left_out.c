/* SPDX-License-Identifier: MIT */
/* A cell may span several pieces, as dates and addresses do: it is compared where a piece begins, and
   must end where one ends. */
#include "pipeline/transform/left_out.h"

#include "pipeline/item/canon.h"
#include "pipeline/item/timestamp.h"

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Bytes of other alphabets count as letters. */
static bool in_word(char c)
{
    return is_digit(c) || (unsigned char)((c | 0x20) - 'a') < 26 || (unsigned char)c >= 128;
}

static bool ends_word(struct str text, size_t at)
{
    return at == text.n || !in_word(text.p[at]);
}

/* Returns how much of the text the cell's text covers from its beginning on; 0: nothing. */
static size_t covers(struct str cell, struct str text)
{
    if (cell.n == 0 || cell.n > text.n || cell.p[0] != text.p[0] || !str_starts(text, cell))
        return 0;
    return ends_word(text, cell.n) ? cell.n : 0;
}

/* Returns the text up to what is neither letter nor digit. */
static struct str first_word(struct str text)
{
    size_t n = 0;
    while (n < text.n && in_word(text.p[n]))
        n++;
    return str_make(text.p, n);
}

static size_t covers_integer(int64_t cell, struct str text)
{
    struct str word = first_word(text);
    int64_t n = 0;
    if (word.n > 18)
        return 0;
    for (size_t i = 0; i < word.n; i++) {
        if (!is_digit(word.p[i]))
            return 0;
        n = n * 10 + (word.p[i] - '0');
    }
    return n == cell || -n == cell ? word.n : 0;
}

/* Numbers in keys may be padded with zeros; a minus before them is no part of the piece. */
static size_t covers_number(struct str cell, struct str text)
{
    size_t zeros = 0;
    if (cell.n && cell.p[0] == '-')
        cell = str_from(cell, 1);
    while (zeros + 1 < text.n && text.p[zeros] == '0' && is_digit(text.p[zeros + 1]))
        zeros++;
    size_t n = covers(cell, str_from(text, zeros));
    return n ? n + zeros : 0;
}

static size_t covers_time(enum col_type type, int64_t cell, struct str text)
{
    enum { DATE = 10 };
    int64_t at = 0;
    bool cut = false;
    size_t n = 0;
    if (text.n < DATE || text.p[4] != '-')
        return 0;
    if (type == COL_DATE) {
        bool is = timestamp_parse_date(str_make(text.p, DATE), &at);
        return is && at == cell && ends_word(text, DATE) ? DATE : 0;
    }
    while (n < text.n && (in_word(text.p[n]) || strchr("-:.+", text.p[n])))
        n++;
    return timestamp_parse_stamp(str_make(text.p, n), &at, &cut) && at == cell ? n : 0;
}

static size_t covers_uuid(const unsigned char *uuid, struct str text)
{
    enum { LENGTH = 36 };
    static const char HEX[] = "0123456789abcdef";
    if (text.n < LENGTH)
        return 0;
    size_t at = 0;
    for (size_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            at += text.p[at] == '-';
        char low = text.p[at + 1], high = text.p[at];
        if ((high | 0x20) != (HEX[uuid[i] >> 4] | 0x20) ||
            (low | 0x20) != (HEX[uuid[i] & 15] | 0x20))
            return 0;
        at += 2;
    }
    return at == LENGTH && ends_word(text, LENGTH) ? LENGTH : 0;
}

static size_t covers_element(const struct datum *d, struct str text)
{
    size_t n = 0;
    for (uint32_t i = 0; !n && i < d->n; i++)
        n = covers(d->u.array[i], text);
    return n;
}

/* What is kept as JSON is searched for the word alone. */
static size_t covers_json(struct str json, struct str text)
{
    struct str word = first_word(text);
    for (size_t at = 0; (at = str_find(json, word, at)) < json.n; at++) {
        bool begins = at == 0 || !in_word(json.p[at - 1]);
        if (begins && ends_word(json, at + word.n))
            return word.n;
    }
    return 0;
}

static size_t covers_cell(enum col_type type, const struct datum *d, struct str text)
{
    if (type == COL_TEXT)
        return covers(d->u.text, text);
    if (type == COL_INTEGER || type == COL_BIGINT)
        return covers_integer(d->u.i, text);
    if (type == COL_NUMERIC)
        return covers_number(d->u.text, text);
    if (type == COL_DATE || type == COL_TIMESTAMPTZ)
        return covers_time(type, d->u.i, text);
    if (type == COL_UUID)
        return covers_uuid(d->u.uuid, text);
    if (type == COL_TEXT_ARRAY || type == COL_NUMERIC_ARRAY)
        return covers_element(d, text);
    return type == COL_JSONB ? covers_json(d->u.text, text) : 0;
}

/* Returns the most of the text that a cell covers: the date, not the year. Cells kept as JSON take
   longest and come last. */
static size_t find(const struct left_out_rows *rows, bool json, struct str text)
{
    size_t most = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct table *t = &rows->schema->tables[rows->v[i].table];
        const struct datum *cells = rows->v[i].cells;
        for (uint32_t c = 0; c < t->ncolumns; c++) {
            enum col_type type = t->columns[c].type;
            if (cells[c].state != DATUM_VALUE || (type == COL_JSONB) != json)
                continue;
            size_t n = covers_cell(type, &cells[c], text);
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
        bool begins = in_word(text.p[i]) && (i == 0 || !in_word(text.p[i - 1]));
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
    while (at < text.n && !is_digit(text.p[at]))
        at++;
    return at;
}

/* `at` is where the first digit stands. */
static bool text_is_said(struct str text, size_t at, const struct left_out_rows *rows)
{
    for (size_t said = 0; at < text.n;) { /* up to `said` cells were found */
        while (at > said && in_word(text.p[at - 1]))
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
