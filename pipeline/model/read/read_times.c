/* SPDX-License-Identifier: MIT */
/* What a column says of times: their zone, which of two is meant, how they are spelt. */
#include "pipeline/item/cast/column_type.h"
#include "pipeline/item/time/time_format.h"
#include "pipeline/model/read/reader.h"

struct zone_read {
    struct str name;
    const struct time_zone *zone;
    struct zone_read *next;
};

static struct cast_time *time_of(struct model_reader *r, struct column_spec *c)
{
    if (!c->time)
        c->time = read_array(r, 1, sizeof *c->time);
    return c->time;
}

static const struct time_zone *known_zone(const struct model_reader *r, struct str name)
{
    for (const struct zone_read *z = r->zones; z; z = z->next) {
        if (str_eq(z->name, name))
            return z->zone;
    }
    return NULL;
}

static const struct time_zone *open_zone(struct model_reader *r, struct model_node n,
                                         struct str name)
{
    const struct time_zone *zone = known_zone(r, name);
    struct err err = {0};
    if (zone)
        return zone;
    enum rc rc = time_zone_open(r->a, name, &zone, &err);
    r->nomem = r->nomem || rc == RC_NOMEM;
    if (rc) {
        problems_add(r->problems, read_place(r, n.at),
                     "%s\nhint: a zone is a name of the tz database such as \"Europe/Berlin\", "
                     "\"UTC\", or an offset such as \"+02:00\"",
                     err.msg);
        return NULL;
    }
    struct zone_read *kept = read_array(r, 1, sizeof *kept);
    if (kept) {
        *kept = (struct zone_read){name, zone, r->zones};
        r->zones = kept;
    }
    return zone;
}

void read_zone(struct model_reader *r, struct model_node n, void *target)
{
    struct str name = {0};
    struct cast_time *t = time_of(r, target);
    if (t && read_string(r, n, &name))
        t->zone = open_zone(r, n, name);
}

void read_ambiguous(struct model_reader *r, struct model_node n, void *target)
{
    static const struct choice WHICH[] = {{"earlier", 0}, {"later", 1}};
    struct column_spec *c = target;
    struct cast_time *t = time_of(r, c);
    int v = 0;
    if (!t || !read_choice(r, n, WHICH, NRULES(WHICH), &v))
        return;
    t->later = v;
    c->cast.lossy |= LOSSY_AMBIGUOUS;
}

void read_formats(struct model_reader *r, struct model_node n, void *target)
{
    struct cast_time *t = time_of(r, target);
    const struct names *texts = NULL;
    read_texts(r, n, &texts);
    struct str *v = t && texts ? read_array(r, (size_t)texts->n + 1, sizeof *v) : NULL;
    if (!v)
        return;
    if (texts->n == 0)
        problems_add(r->problems, read_place(r, n.at), "\"format\" is an empty list");
    t->formats = v;
    for (uint32_t i = 0; i < texts->n; i++) {
        unsigned what = 0;
        bool iso = str_is(texts->v[i], "iso");
        const char *wrong = iso ? NULL : time_format_check(texts->v[i], &what);
        if (wrong) {
            problems_add(r->problems, read_place(r, n.at), "the format %s is none: %s",
                         read_show(r, texts->v[i]), wrong);
        } else if (iso) {
            t->iso = true;
        } else {
            v[t->nformats++] = texts->v[i];
        }
    }
}

static void problem(struct model_reader *r, const struct column_spec *c, const char *what)
{
    problems_add(r->problems, c->place, "column %s %s", read_show(r, c->name), what);
}

static void refuse(struct model_reader *r, const struct column_spec *c, const char *member,
                   enum column_trait trait)
{
    struct buf list;
    buf_init(&list, BUF_NO_LIMIT);
    column_type_list(&list, trait, " or ");
    problems_add(r->problems, c->place, "column %s has \"%s\", but is no %s",
                 read_show(r, c->name), member, buf_cstr(&list));
    buf_release(&list);
}

static enum col_type type_of(const struct column_spec *c)
{
    const struct column_array *array = &column_types[c->cast.type].array;
    return array->set ? array->element : c->cast.type;
}

/* A format that no value of the type can come of, or only one that is refused each time. */
static const char *misfit(enum col_type type, unsigned what, bool zone)
{
    static const char clock[] =
        "is a date, and has a format with a time\n"
        "hint: make it a timestamp, or leave the time out of the format";
    static const char local[] = "has a format without an offset, and no zone\n"
                                "hint: a \"zone\" says what time it is; or make it a timestamp";
    static const char instant[] =
        "is a timestamp, and has a format with an offset, but no zone\n"
        "hint: a \"zone\" says what clocks show then";
    bool offset = what & TIME_FORMAT_OFFSET;
    if (type == COL_DATE)
        return what & TIME_FORMAT_CLOCK ? clock : NULL;
    if (zone)
        return NULL;
    if (type == COL_TIMESTAMPTZ)
        return offset ? NULL : local;
    return type == COL_TIMESTAMP && offset ? instant : NULL;
}

void read_times_check(struct model_reader *r, const struct column_spec *c)
{
    const struct cast_time *t = c->time;
    enum col_type type = type_of(c);
    bool ambiguous = (c->cast.lossy & LOSSY_AMBIGUOUS) != 0;
    bool zoned = column_type_has(c->cast.type, COLUMN_ZONE);
    if (type == COL_TIMESTAMP && c->cast.unit != UNIT_NONE && !(t && t->zone)) {
        problem(r, c,
                "is a timestamp, and has a unit, but no zone\n"
                "hint: a number is an instant; a \"zone\" says what clocks show then");
    }
    if (t && !zoned && (t->zone || ambiguous))
        refuse(r, c, t->zone ? "zone" : "ambiguous", COLUMN_ZONE);
    if (t && zoned && ambiguous && !t->zone)
        problem(r, c, "has \"ambiguous\" without a \"zone\"");
    if (t && t->formats && !column_type_has(c->cast.type, COLUMN_TIME))
        refuse(r, c, "format", COLUMN_TIME);
    for (uint32_t i = 0; t && t->formats && i < t->nformats; i++) {
        unsigned what = 0;
        const char *wrong = time_format_check(t->formats[i], &what);
        wrong = wrong ? wrong : misfit(type, what, t->zone != NULL);
        if (wrong)
            problem(r, c, wrong);
    }
}
