/* SPDX-License-Identifier: MIT */
/* A window starts at some request: the worst one does. Two fingers walk over the sorted lines. */
#include "tests/sim/books.h"

#include <errno.h>
#include <stdlib.h>

#include "tests/sim/mem.h"

enum rc books_open(struct books *b, const char *path, struct err *err)
{
    b->file = path ? fopen(path, "we") : NULL;
    if (path && !b->file)
        return err_errno(err, RC_USAGE, errno, "cannot write \"%s\"", path);
    return RC_OK;
}

void books_write(struct books *b, const struct books_line *line)
{
    if (!b->file)
        return;
    (void)fprintf(b->file, "%lld\t%.*s\t%lld\t%.1f\t%d\t%s\t%s\t%.1f\t%s\n",
                  (long long)line->arrival_us, line->operation.n ? (int)line->operation.n : 1,
                  line->operation.n ? line->operation.p : "-", (long long)line->segment,
                  line->units, line->status, line->outcome, line->fault, line->index_units,
                  line->from_key ? "on" : "-");
}

void books_capture(struct books *b, const struct books_line *line, struct str body)
{
    if (!b->file)
        return;
    (void)fprintf(b->file, "%lld\t%.*s\t%s\t%.*s\n", (long long)line->arrival_us,
                  STR_FMT(line->operation), line->outcome, STR_FMT(body));
}

void books_flush(struct books *b)
{
    if (b->file)
        (void)fflush(b->file);
}

void books_close(struct books *b)
{
    if (b->file)
        (void)fclose(b->file);
    b->file = NULL;
}

struct entry {
    int64_t at;
    double units;
};

struct entries {
    struct entry *list;
    size_t n;
    double largest, total;
};

static int by_time(const void *pa, const void *pb)
{
    const struct entry *a = pa;
    const struct entry *b = pb;
    return a->at < b->at ? -1 : a->at > b->at;
}

static struct str column(struct str line, int number)
{
    for (; number > 0; number--) {
        size_t tab = str_find(line, STR("\t"), 0);
        line = str_from(line, tab < line.n ? tab + 1 : line.n);
    }
    line.n = str_find(line, STR("\t"), 0);
    return line;
}

/* `list` is names separated by commas. */
static bool listed(const char *list, struct str name)
{
    struct str rest = str_of(list);
    while (rest.n) {
        size_t comma = str_find(rest, STR(","), 0);
        if (str_eq(str_make(rest.p, comma), name))
            return true;
        rest = str_from(rest, comma < rest.n ? comma + 1 : rest.n);
    }
    return false;
}

static void read_line(struct entries *e, struct str line, const char *operation)
{
    if (operation && !listed(operation, column(line, 1)))
        return;
    double units = strtod(column(line, 3).p, NULL);
    if (units <= 0)
        return;
    if ((e->n & (e->n - 1)) == 0)
        e->list = mem_resize(e->list, (e->n ? e->n * 2 : 1) * sizeof *e->list);
    e->list[e->n++] = (struct entry){strtoll(line.p, NULL, 10), units};
    e->total += units;
    if (units > e->largest)
        e->largest = units;
}

static double worst(const struct entries *e, int64_t width_us)
{
    double sum = 0;
    double most = 0;
    size_t start = 0;
    for (size_t i = 0; i < e->n; i++) {
        sum += e->list[i].units;
        while (e->list[i].at - e->list[start].at > width_us)
            sum -= e->list[start++].units;
        most = sum > most ? sum : most;
    }
    return most;
}

static enum rc judge(const struct entries *e, const struct books_limit *limit, struct err *err)
{
    double page = limit->page > 0 ? limit->page : e->largest;
    bool over = false;
    double seconds = e->n ? (double)(e->list[e->n - 1].at - e->list[0].at) / 1e6 : 0;
    (void)printf("requests %zu units %.1f seconds %.3f largest %.1f\n", e->n, e->total, seconds,
                 e->largest);
    for (int t = 1; t <= 60; t += t < 10 ? 1 : 10) {
        double used = worst(e, (int64_t)t * 1000000);
        double allowed = limit->rate * (t + 1 + limit->slack) + page;
        bool bad = used > allowed + 1e-6;
        (void)printf("window %d s: used %.1f allowed %.1f %s\n", t, used, allowed,
                     bad ? "OVER" : "ok");
        over = over || bad;
    }
    return over ? err_set(err, RC_DATA, "a window is above the rate of %g units per second",
                          limit->rate)
                : RC_OK;
}

enum rc books_check(const char *path, const struct books_limit *limit, struct err *err)
{
    size_t len = 0;
    char *text = mem_file(path, &len);
    if (!text)
        return err_errno(err, RC_USAGE, errno, "cannot read \"%s\"", path);
    struct entries e = {0};
    struct str all = str_make(text, len);
    for (size_t at = 0; at < len;) {
        size_t end = str_find(all, STR("\n"), at);
        if (end > at && end < len)
            read_line(&e, str_make(text + at, end - at), limit->operation);
        at = end + 1;
    }
    if (e.n)
        qsort(e.list, e.n, sizeof *e.list, by_time);
    enum rc rc = judge(&e, limit, err);
    free(e.list);
    free(text);
    return rc;
}
