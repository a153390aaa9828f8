/* SPDX-License-Identifier: MIT */
/* Columns that every row fills are not listed, and long lists are cut: the summary has all. */
#include "cmd/print/shape_lines.h"

#include <inttypes.h>

#include "cmd/print/plain.h"

enum { SHOWN = 20, LEFT = 18 };

/* "table.column", or "Entity: attribute". */
static void add_subject(struct buf *out, const struct finding *f)
{
    bool column = f->kind == FINDING_EMPTY_COLUMN || f->kind == FINDING_TYPE_CHANGE ||
                  f->kind == FINDING_NULL_JUMP;
    plain_add(out, f->place, 100);
    if (!f->name.n)
        return;
    buf_puts(out, column ? "." : ": ");
    plain_add(out, f->name, 200);
}

static bool print_column(const struct profile *p, uint32_t t, uint32_t c, struct buf *out)
{
    const struct table *table = &p->layout.schema->tables[t];
    uint64_t rows = profile_rows(p, t), filled = profile_filled(p, t, c);
    if (filled == rows || filled == 0 || table->columns[c].extra)
        return false;
    if (!out)
        return true;
    struct buf name;
    buf_init(&name, 1024);
    buf_addf(&name, "%.*s.%.*s", STR_FMT(table->name), STR_FMT(table->columns[c].name));
    plain_pad(out, buf_view(&name), 32);
    bool copies = p->counters[p->layout.copies + t] > 0;
    buf_addf(out, " %14" PRIu64 " %14" PRIu64 " %6.1f%%%s\n", filled, rows,
             100.0 * (double)filled / (double)rows, copies ? " (copies)" : "");
    buf_release(&name);
    return true;
}

static void print_columns(const struct profile *p, struct buf *out)
{
    const struct schema *s = p->layout.schema;
    size_t n = 0;
    for (uint32_t t = 0; t < s->ntables; t++) {
        for (uint32_t c = 0; c < s->tables[t].ncolumns; c++) {
            if (!print_column(p, t, c, NULL))
                continue;
            if (n == 0)
                buf_addf(out, "\n%-32s %14s %14s\n", "column", "with a value", "of rows");
            if (n++ < SHOWN)
                (void)print_column(p, t, c, out);
        }
    }
    if (n > SHOWN)
        buf_addf(out, "    and %zu more, see --summary\n", n - SHOWN);
}

static const struct extra *find_extra(const struct profile *p, const struct finding *f)
{
    for (uint32_t i = 0; i < p->extras.n; i++) {
        const struct extras_of *of = &p->extras.places[i];
        bool here = of->n && str_eq(extras_place_name(p->layout.schema, i), f->place);
        for (uint32_t k = 0; here && k < of->n; k++) {
            if (str_eq(of->v[k]->name, f->name))
                return of->v[k];
        }
    }
    return NULL;
}

/* ", 3 S, 1 N, such as {"S":"x"}" */
static void add_extra(struct buf *out, const struct extra *x)
{
    for (unsigned k = VAL_S; x && k < PROFILE_KINDS; k++) {
        if (x->counts[k])
            buf_addf(out, ", %" PRIu64 " %s", x->counts[k], value_kind_name((enum val_kind)k));
    }
    if (x && x->example.n) {
        buf_puts(out, ", such as ");
        plain_add(out, x->example, 100);
    }
}

static void print_finding(const struct profile *p, const struct finding *f, struct buf *out)
{
    buf_addf(out, "%-*s", LEFT, profile_finding_name(f->kind));
    add_subject(out, f);
    if (f->kind == FINDING_EXTRA)
        add_extra(out, find_extra(p, f));
    if (f->text.n) {
        buf_puts(out, ": ");
        plain_add(out, f->text, 200);
    }
    buf_putc(out, '\n');
}

static void print_findings(const struct profile *p, struct buf *out)
{
    size_t of_kind[FINDING_KINDS] = {0};
    for (size_t i = 0; i < p->nfindings; i++) {
        const struct finding *f = &p->findings[i];
        buf_puts(out, i == 0 ? "\n" : "");
        if (of_kind[f->kind]++ < SHOWN)
            print_finding(p, f, out);
        bool last = i + 1 == p->nfindings || p->findings[i + 1].kind != f->kind;
        if (last && of_kind[f->kind] > SHOWN)
            buf_addf(out, "    and %zu more, see --summary\n", of_kind[f->kind] - SHOWN);
    }
}

static void print_others(const struct profile *p, struct buf *out)
{
    for (uint32_t i = 0; i < p->extras.n; i++) {
        if (!p->extras.places[i].others)
            continue;
        buf_addf(out, "%-*s", LEFT, profile_finding_name(FINDING_EXTRA));
        plain_add(out, extras_place_name(p->layout.schema, i), 100);
        buf_addf(out, ": %" PRIu64 " values of other names\n", p->extras.places[i].others);
    }
}

void shape_lines(const struct profile *p, struct buf *out)
{
    if (!p->known)
        return;
    print_columns(p, out);
    print_findings(p, out);
    print_others(p, out);
}
