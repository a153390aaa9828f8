/* SPDX-License-Identifier: MIT */
/* Records, one a line: what it is about, where, its name, its numbers, the types of its values. */
#include "pipeline/base/json.h"
#include "pipeline/profile/shape_report.h"

static void begin(struct buf *out, const char *about, struct str place, struct str name)
{
    bool first = out->len && out->p[out->len - 1] == '[';
    buf_addf(out, "%s\n{\"about\":\"%s\",\"place\":", first ? "" : ",", about);
    json_add_string(out, place);
    buf_puts(out, ",\"name\":");
    json_add_string(out, name);
}

static void number(struct buf *out, const char *name, uint64_t n)
{
    buf_addf(out, ",\"%s\":%llu", name, (unsigned long long)n);
}

static void types(struct buf *out, const uint64_t *counts)
{
    bool first = true;
    buf_puts(out, ",\"types\":{");
    for (unsigned k = VAL_S; k < PROFILE_KINDS; k++) {
        if (counts[k] == 0)
            continue;
        buf_addf(out, "%s\"%s\":%llu", first ? "" : ",", value_kind_name((enum val_kind)k),
                 (unsigned long long)counts[k]);
        first = false;
    }
    buf_putc(out, '}');
}

static void add_columns(const struct profile *p, struct buf *out)
{
    const struct schema *s = p->layout.schema;
    for (uint32_t t = 0; t < s->ntables; t++) {
        for (uint32_t c = 0; profile_rows(p, t) && c < s->tables[t].ncolumns; c++) {
            uint64_t counts[PROFILE_KINDS] = {0};
            for (unsigned k = VAL_S; k < PROFILE_KINDS; k++)
                counts[k] = profile_kind(p, t, c, (enum val_kind)k);
            begin(out, "column", s->tables[t].name, s->tables[t].columns[c].name);
            number(out, "rows", profile_rows(p, t));
            number(out, "filled", profile_filled(p, t, c));
            types(out, counts);
            buf_putc(out, '}');
        }
    }
}

static void add_extras(const struct profile *p, struct buf *out)
{
    const struct schema *s = p->layout.schema;
    for (uint32_t i = 0; i < p->extras.n; i++) {
        const struct extras_of *of = &p->extras.places[i];
        struct str place = of->n || of->others ? extras_place_name(s, i) : (struct str){0};
        for (uint32_t k = 0; k < of->n; k++) {
            begin(out, "attribute", place, of->v[k]->name);
            number(out, "filled", profile_extra_count(of->v[k]));
            types(out, of->v[k]->counts);
            if (of->v[k]->example.n) {
                buf_puts(out, ",\"example\":");
                json_add_string(out, of->v[k]->example);
            }
            buf_putc(out, '}');
        }
        if (of->others) {
            begin(out, "attribute", place, STR(""));
            number(out, "filled", of->others);
            buf_putc(out, '}');
        }
    }
}

static void add_findings(const struct profile *p, struct buf *out)
{
    for (size_t i = 0; i < p->nfindings; i++) {
        const struct finding *f = &p->findings[i];
        begin(out, "finding", f->place, f->name);
        buf_addf(out, ",\"finding\":\"%s\"", profile_finding_name(f->kind));
        if (f->text.n) {
            buf_puts(out, ",\"text\":");
            json_add_string(out, f->text);
        }
        buf_putc(out, '}');
    }
}

void profile_json(const struct profile *p, struct buf *out)
{
    const struct schema *s = p->layout.schema;
    buf_putc(out, '[');
    for (uint32_t i = 0; p->known && i < s->nentities; i++) {
        if (schema_left_out(s, i))
            continue;
        begin(out, "entity", s->entities[i], STR(""));
        number(out, "rows", p->counters[p->layout.entities + i]);
        buf_putc(out, '}');
    }
    for (uint32_t i = 0; p->known && i < s->nstages; i++) {
        begin(out, "stage", s->stages[i].place, s->stages[i].name);
        number(out, "rows", p->counters[p->layout.stages + i]);
        buf_putc(out, '}');
    }
    if (p->known) {
        add_columns(p, out);
        add_extras(p, out);
        add_findings(p, out);
    }
    buf_putc(out, ']');
}
