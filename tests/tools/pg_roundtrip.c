/* SPDX-License-Identifier: MIT */
/*
 * Values of every column type, thousands of generated ones and every edge, sent to a server as
 * binary: the server's own text of each must be the text the value was made from, and the binary
 * it sends back must decode to an equal value.
 * Usage: pg_roundtrip CONNINFO
 */
#include "pipeline/item/cast/column_type.h"
#include "sinks/postgres/wire/binary.h"
#include "sinks/postgres/wire/connection.h"
#include "tests/tools/pg_arrays.h"

static void encode(struct probe *p, enum col_type type, struct buf *b)
{
    struct column columns[2] = {{.type = COL_INTEGER}, {.type = type}};
    struct table t = {.name = STR("probe"), .columns = columns, .ncolumns = 2};
    struct err err;
    pg_binary_header(b);
    for (size_t i = 0; i < p->n; i++) {
        struct datum cells[2] = {{.state = DATUM_VALUE, .u.i = (int64_t)i}, p->v[i].d};
        pg_binary_row(b, 2);
        if (pg_binary_cells(b, &t, cells, &err))
            abort();
    }
    pg_binary_trailer(b);
}

static bool send_all(PGconn *pg, const struct buf *b)
{
    PGresult *res = PQexec(pg, "COPY pg_temp.probe FROM STDIN (FORMAT binary)");
    bool ok = PQresultStatus(res) == PGRES_COPY_IN;
    PQclear(res);
    ok = ok && PQputCopyData(pg, b->p, (int)b->len) == 1 && PQputCopyEnd(pg, NULL) == 1;
    while ((res = PQgetResult(pg)) != NULL) {
        ok = ok && PQresultStatus(res) == PGRES_COMMAND_OK;
        if (PQresultStatus(res) == PGRES_FATAL_ERROR)
            (void)fprintf(stderr, "%s", PQresultErrorMessage(res));
        PQclear(res);
    }
    return ok;
}

static unsigned compare_texts(PGconn *pg, struct probe *p, enum col_type type)
{
    unsigned wrong = 0;
    PGresult *res = PQexec(pg, "SELECT v::text FROM pg_temp.probe ORDER BY i");
    if (PQntuples(res) != (int)p->n)
        wrong++;
    for (int i = 0; i < PQntuples(res) && wrong == 0; i++) {
        struct str got = pg_text(res, i, 0), want = p->v[i].text;
        if (want.p == NULL || (type == COL_JSONB))
            continue;
        if (!str_eq(got, want)) {
            wrong++;
            (void)fprintf(stderr, "%s: '%.*s', not '%.*s'\n", column_type_name(type),
                          STR_FMT(got), STR_FMT(want));
        }
    }
    PQclear(res);
    return wrong;
}

static unsigned compare_json(PGconn *pg, struct probe *p)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < p->n; i++) {
        char number[24];
        (void)snprintf(number, sizeof number, "%zu", i);
        const char *params[] = {p->v[i].text.p, number};
        PGresult *res = PQexecParams(
            pg, "SELECT count(*) FROM pg_temp.probe WHERE i = $2::int AND v = $1::jsonb", 2,
            NULL, params, NULL, NULL, 0);
        if (PQntuples(res) != 1 || pg_number(res, 0, 0) != 1) {
            wrong++;
            (void)fprintf(stderr, "jsonb: '%s' came back as another document\n", params[0]);
        }
        PQclear(res);
    }
    return wrong;
}

/* What the server sends back in binary must decode to what was sent. */
static unsigned compare_binary(PGconn *pg, struct probe *p, enum col_type type)
{
    unsigned wrong = 0;
    PGresult *res = PQexecParams(pg, "SELECT v FROM pg_temp.probe ORDER BY i", 0, NULL, NULL,
                                 NULL, NULL, 1);
    for (int i = 0; i < PQntuples(res); i++) {
        struct datum d;
        struct err err;
        struct str field = str_make(PQgetvalue(res, i, 0), (size_t)PQgetlength(res, i, 0));
        if (pg_binary_read(type, field, &p->a, &d, &err) ||
            datum_cmp(type, &d, &p->v[i].d) != 0) {
            wrong++;
            (void)fprintf(stderr, "%s: value %d decodes differently\n", column_type_name(type),
                          i);
        }
    }
    if (PQntuples(res) != (int)p->n)
        wrong++;
    PQclear(res);
    return wrong;
}

static unsigned check(PGconn *pg, enum col_type type, void (*make)(struct probe *))
{
    struct probe p = {.seed = 88172645463325252u};
    struct buf b;
    char sql[128];
    unsigned wrong = 0;
    arena_init(&p.a, 1 << 20);
    buf_init(&b, BUF_NO_LIMIT);
    p.v = calloc(MAX_VALUES, sizeof *p.v);
    if (p.v == NULL)
        return 1;
    make(&p);
    encode(&p, type, &b);
    (void)snprintf(sql, sizeof sql,
                   "DROP TABLE IF EXISTS pg_temp.probe; CREATE TEMP TABLE probe (i int, v %s)",
                   column_type_name(type));
    PQclear(PQexec(pg, sql));
    if (!send_all(pg, &b)) {
        wrong++;
    } else {
        wrong += compare_texts(pg, &p, type) + compare_binary(pg, &p, type);
    }
    if (wrong == 0 && type == COL_JSONB)
        wrong += compare_json(pg, &p);
    (void)printf("%-18s %zu values, %u wrong\n", column_type_name(type), p.n, wrong);
    free(p.v);
    buf_release(&b);
    arena_release(&p.a);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        enum col_type type;
        void (*make)(struct probe *);
    } types[] = {
        {COL_TEXT, texts},
        {COL_INTEGER, small_integers},
        {COL_BIGINT, big_integers},
        {COL_NUMERIC, numbers},
        {COL_DOUBLE, doubles},
        {COL_BOOLEAN, booleans},
        {COL_BYTEA, bytes},
        {COL_DATE, dates},
        {COL_TIMESTAMP, local_stamps},
        {COL_TIMESTAMPTZ, stamps},
        {COL_UUID, uuids},
        {COL_JSONB, documents},
        {COL_TEXT_ARRAY, text_arrays},
        {COL_NUMERIC_ARRAY, number_arrays},
        {COL_BYTEA_ARRAY, byte_arrays},
        {COL_INTEGER_ARRAY, integer_arrays},
        {COL_BIGINT_ARRAY, bigint_arrays},
        {COL_DOUBLE_ARRAY, double_arrays},
        {COL_BOOLEAN_ARRAY, boolean_arrays},
        {COL_DATE_ARRAY, date_arrays},
        {COL_TIMESTAMP_ARRAY, local_stamp_arrays},
        {COL_TIMESTAMPTZ_ARRAY, stamp_arrays},
        {COL_UUID_ARRAY, uuid_arrays},
    };
    struct pg_target target;
    struct err err = {0};
    PGconn *pg = NULL;
    unsigned wrong = 0;
    if (argc != 2 || pg_target_init(&target, argv[1], NULL, 0, &err) ||
        pg_connect(&target, "roundtrip", &pg, &err)) {
        (void)fprintf(stderr, "pg_roundtrip: %s\n", err.msg);
        return 2;
    }
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        wrong += check(pg, types[i].type, types[i].make);
    PQfinish(pg);
    pg_target_release(&target);
    return wrong ? 1 : 0;
}
