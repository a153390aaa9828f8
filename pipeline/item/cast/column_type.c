/* SPDX-License-Identifier: MIT */
/*
 * The table of column types, and the small functions that its rows are made of: orders and sizes.
 * Casts, spellings, forms in JSON and what a cell says of a key are in the other files of this folder. A new type is a line
 * of enum col_type, a row here, and a row in sinks/postgres/wire/type_table.c; what only it needs
 * can stand here, above the table.
 */
#include "pipeline/item/cast/column_type.h"

#include "pipeline/item/cast/cast_covers.h"
#include "pipeline/item/cast/cast_private.h"
#include "pipeline/item/decimal.h"

static int cmp_text(enum col_type type, const struct datum *a, const struct datum *b)
{
    (void)type;
    return str_cmp(a->u.text, b->u.text);
}

static int cmp_numeric(enum col_type type, const struct datum *a, const struct datum *b)
{
    (void)type;
    return decimal_cmp(a->u.text, b->u.text);
}

static int cmp_integer(enum col_type type, const struct datum *a, const struct datum *b)
{
    (void)type;
    return (a->u.i > b->u.i) - (a->u.i < b->u.i);
}

static int cmp_double(enum col_type type, const struct datum *a, const struct datum *b)
{
    (void)type;
    return (a->u.d > b->u.d) - (a->u.d < b->u.d);
}

static int cmp_boolean(enum col_type type, const struct datum *a, const struct datum *b)
{
    (void)type;
    return a->u.boolean - b->u.boolean;
}

static int cmp_uuid(enum col_type type, const struct datum *a, const struct datum *b)
{
    (void)type;
    return memcmp(a->u.uuid, b->u.uuid, sizeof a->u.uuid);
}

/* Element by element, NULL before all values; the shorter first. */
static int cmp_array(enum col_type type, const struct datum *a, const struct datum *b)
{
    enum col_type element = column_types[type].array.element;
    for (uint32_t i = 0; i < a->n && i < b->n; i++) {
        int c = datum_cmp(element, &a->u.array[i], &b->u.array[i]);
        if (c != 0)
            return c;
    }
    return (a->n > b->n) - (a->n < b->n);
}

static bool spells_text(enum col_type type, uint32_t pad, struct str text)
{
    (void)type;
    (void)pad;
    (void)text;
    return true;
}

static size_t covers_text(enum col_type type, const struct datum *d, struct str text)
{
    (void)type;
    return cast_covers_text(d->u.text, text);
}

/* More bytes than are ever kept in a row: such a value is moved out. */
enum { MOVED_OUT = 1 << 10 };

static size_t stored_text(const struct datum *d)
{
    return d->u.text.n + 1;
}

/* Two bytes for each four digits. */
static size_t stored_numeric(const struct datum *d)
{
    enum { HEAD = 4 };
    return 1 + HEAD + 2 * ((d->u.text.n + 6) / 4);
}

static size_t stored_jsonb(const struct datum *d)
{
    enum { SHORT = 5, SMALL = 9 };
    return d->u.text.n <= SHORT ? SMALL : MOVED_OUT;
}

static size_t stored_array(const struct datum *d)
{
    enum { EMPTY = 13 };
    return d->n == 0 ? EMPTY : MOVED_OUT;
}

#define KIND(kind) (1u << VAL_##kind)

#define ARRAY(its_name, alias, element_type, its_set, its_kinds, its_traits)                   \
    .name = (its_name), .aliases = {(alias)}, .traits = (its_traits),                          \
    .array = {(element_type), VAL_##its_set}, .kinds = (its_kinds) | KIND(L),                  \
    .cast = cast_array, .json = cast_json_array, .cmp = cmp_array,                             \
    .covers = cast_covers_array, .stored = stored_array

enum { STAMPS = COLUMN_UNIT | COLUMN_TIME | COLUMN_ZONE };

const struct column_type column_types[COL_TYPES] = {
    [COL_TEXT] = {.name = "text",
                  .aliases = {"string", "varchar", "char"},
                  .traits = COLUMN_PART,
                  .kinds = KIND(S) | KIND(N),
                  .cast = cast_text,
                  .json = cast_json_text,
                  .cmp = cmp_text,
                  .covers = covers_text,
                  .spells = spells_text,
                  .stored = stored_text},
    [COL_INTEGER] = {.name = "integer",
                     .logical = "integer",
                     .aliases = {"int", "int4", "smallint"},
                     .traits = COLUMN_PART | COLUMN_NUMBER | COLUMN_WIDTH,
                     .least = INT32_MIN,
                     .most = INT32_MAX,
                     .kinds = KIND(N) | KIND(S),
                     .cast = cast_integer,
                     .json = cast_json_integer,
                     .cmp = cmp_integer,
                     .covers = cast_covers_integer,
                     .spells = cast_spells_integer,
                     .bytes = 4,
                     .align = 4},
    [COL_BIGINT] = {.name = "bigint",
                    .logical = "integer",
                    .aliases = {"int8", "long"},
                    .traits = COLUMN_PART | COLUMN_NUMBER | COLUMN_WIDTH,
                    .least = INT64_MIN,
                    .most = INT64_MAX,
                    .kinds = KIND(N) | KIND(S),
                    .cast = cast_integer,
                    .json = cast_json_integer,
                    .cmp = cmp_integer,
                    .covers = cast_covers_integer,
                    .spells = cast_spells_integer,
                    .bytes = 8,
                    .align = 8},
    [COL_NUMERIC] = {.name = "numeric",
                     .logical = "number",
                     .aliases = {"number", "decimal"},
                     .traits = COLUMN_PART | COLUMN_NUMBER,
                     .kinds = KIND(N) | KIND(S),
                     .cast = cast_numeric,
                     .json = cast_json_as_is,
                     .cmp = cmp_numeric,
                     .covers = cast_covers_numeric,
                     .spells = cast_spells_numeric,
                     .stored = stored_numeric},
    [COL_DOUBLE] = {.name = "double precision",
                    .logical = "number",
                    .aliases = {"float", "double", "real", "float8"},
                    .kinds = KIND(N) | KIND(S),
                    .cast = cast_double,
                    .json = cast_json_double,
                    .cmp = cmp_double,
                    .bytes = 8,
                    .align = 8},
    [COL_BOOLEAN] = {.name = "boolean",
                     .logical = "boolean",
                     .aliases = {"bool"},
                     .traits = COLUMN_PART,
                     .kinds = KIND(BOOL) | KIND(S),
                     .cast = cast_boolean,
                     .json = cast_json_boolean,
                     .cmp = cmp_boolean,
                     .spells = cast_spells_boolean,
                     .bytes = 1,
                     .align = 1},
    [COL_BYTEA] = {.name = "bytea",
                   .aliases = {"binary", "blob", "bytes"},
                   .kinds = KIND(B),
                   .cast = cast_bytea,
                   .json = cast_json_bytea,
                   .cmp = cmp_text,
                   .stored = stored_text},
    [COL_DATE] = {.name = "date",
                  .logical = "date",
                  .traits = COLUMN_PART | COLUMN_TIME,
                  .kinds = KIND(S),
                  .cast = cast_date,
                  .json = cast_json_date,
                  .cmp = cmp_integer,
                  .covers = cast_covers_date,
                  .spells = cast_spells_date,
                  .bytes = 4,
                  .align = 4},
    [COL_TIMESTAMP] = {.name = "timestamp",
                       .logical = "timestamp",
                       .aliases = {"localtime"},
                       .traits = COLUMN_PART | COLUMN_UNIT | COLUMN_TIME | COLUMN_ZONE,
                       .kinds = KIND(S) | KIND(N),
                       .cast = cast_timestamp,
                       .json = cast_json_timestamp,
                       .cmp = cmp_integer,
                       .covers = cast_covers_timestamp,
                       .spells = cast_spells_timestamp,
                       .bytes = 8,
                       .align = 8},
    [COL_TIMESTAMPTZ] = {.name = "timestamptz",
                         .logical = "timestamp",
                         .aliases = {"datetime"},
                         .traits = COLUMN_PART | COLUMN_UNIT | COLUMN_TIME | COLUMN_ZONE,
                         .kinds = KIND(S) | KIND(N),
                         .cast = cast_timestamptz,
                         .json = cast_json_timestamptz,
                         .cmp = cmp_integer,
                         .covers = cast_covers_timestamptz,
                         .spells = cast_spells_timestamptz,
                         .bytes = 8,
                         .align = 8},
    [COL_UUID] = {.name = "uuid",
                  .aliases = {"guid"},
                  .traits = COLUMN_PART,
                  .kinds = KIND(S),
                  .cast = cast_uuid,
                  .json = cast_json_uuid,
                  .cmp = cmp_uuid,
                  .covers = cast_covers_uuid,
                  .spells = cast_spells_uuid,
                  .bytes = 16,
                  .align = 1},
    [COL_JSONB] = {.name = "jsonb",
                   .logical = "object",
                   .aliases = {"json", "map", "list"},
                   .traits = COLUMN_SEARCHED,
                   .kinds = KIND(S) | KIND(N) | KIND(B) | KIND(BOOL) | KIND(M) | KIND(L) |
                            KIND(SS) | KIND(NS) | KIND(BS),
                   .cast = cast_jsonb,
                   .json = cast_json_as_is,
                   .cmp = cmp_text,
                   .covers = cast_covers_json,
                   .stored = stored_jsonb},
    [COL_TEXT_ARRAY] = {ARRAY("text[]", "string[]", COL_TEXT, SS, KIND(SS), 0)},
    [COL_INTEGER_ARRAY] = {ARRAY("integer[]", "int[]", COL_INTEGER, NS, KIND(NS), 0)},
    [COL_BIGINT_ARRAY] = {ARRAY("bigint[]", "long[]", COL_BIGINT, NS, KIND(NS), 0)},
    [COL_NUMERIC_ARRAY] = {ARRAY("numeric[]", "number[]", COL_NUMERIC, NS, KIND(NS), 0)},
    [COL_DOUBLE_ARRAY] = {ARRAY("double precision[]", "float[]", COL_DOUBLE, NS, KIND(NS), 0)},
    [COL_BOOLEAN_ARRAY] = {ARRAY("boolean[]", "bool[]", COL_BOOLEAN, SS, KIND(SS), 0)},
    [COL_BYTEA_ARRAY] = {ARRAY("bytea[]", "binary[]", COL_BYTEA, BS, KIND(BS), 0)},
    [COL_DATE_ARRAY] = {ARRAY("date[]", NULL, COL_DATE, SS, KIND(SS), COLUMN_TIME)},
    [COL_TIMESTAMP_ARRAY] = {ARRAY("timestamp[]", NULL, COL_TIMESTAMP, SS, KIND(SS) | KIND(NS),
                                   STAMPS)},
    [COL_TIMESTAMPTZ_ARRAY] = {ARRAY("timestamptz[]", "datetime[]", COL_TIMESTAMPTZ, SS,
                                     KIND(SS) | KIND(NS), STAMPS)},
    [COL_UUID_ARRAY] = {ARRAY("uuid[]", "guid[]", COL_UUID, SS, KIND(SS), 0)},
};

bool column_type_parse(struct str name, enum col_type *out)
{
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        if (str_is(name, column_types[t].name)) {
            *out = t;
            return true;
        }
    }
    return false;
}

const char *column_type_suggest(struct str alias)
{
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        for (const char *const *a = column_types[t].aliases; *a; a++) {
            if (str_is(alias, *a))
                return column_types[t].name;
        }
    }
    return NULL;
}

void column_type_list(struct buf *b, unsigned traits, const char *last)
{
    const char *held = NULL; /* the joint before a name depends on whether another follows */
    bool first = true;
    for (enum col_type t = COL_TEXT; t < COL_TYPES; t++) {
        if (column_types[t].array.set || (column_types[t].traits & traits) != traits)
            continue;
        if (held) {
            buf_addf(b, "%s%s", first ? "" : ", ", held);
            first = false;
        }
        held = column_types[t].name;
    }
    if (held)
        buf_addf(b, "%s%s", first ? "" : last, held);
}
