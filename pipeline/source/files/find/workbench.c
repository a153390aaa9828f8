/* SPDX-License-Identifier: MIT */
/*
 * A table's name may stand behind its items, so a table is chosen by its place in the list, and the list
 * is known before the first item is read. The cutter walks the file as it does for the items.
 */
#include "pipeline/source/files/find/workbench.h"

#include <stdlib.h>

#include <yyjson.h>

#include "pipeline/base/json.h"
#include "pipeline/source/files/format/cutter.h"
#include "pipeline/source/files/inflate.h"

enum { CHUNK = 64 << 10, TABLES = 256 };

struct tables {
    struct buf names;       /* [place,"name"], ... */
    uint64_t items[TABLES]; /* by place, from 1 */
    unsigned n;
};

bool workbench_begins(struct str head)
{
    return str_find(head, STR("\"DataModel\""), 0) < head.n ||
           str_find(head, STR("\"ModelName\""), 0) < head.n;
}

static void feed(struct cutter *c, struct tables *t, const char *p, size_t n)
{
    size_t at = 0;
    enum cut what = CUT_MORE;
    while (at < n && what != CUT_BAD) {
        at += cutter_feed(c, p + at, n - at, &what);
        if (what == CUT_BEGIN && c->table < TABLES)
            t->items[c->table]++;
    }
    t->n = c->table;
}

/* What is wrong with the document is told where its items are read. */
static enum rc walk(const struct input *in, struct tables *t, struct err *err)
{
    struct cutter c;
    struct inflate *f = NULL;
    char *chunk = malloc(CHUNK);
    size_t skip = in->skip;
    cutter_init(&c, FORMAT_DOCUMENT);
    c.names = &t->names;
    enum rc rc = chunk ? inflate_open(in, CHUNK, &f, err) : err_nomem(err);
    while (!rc || rc == RC_AGAIN) {
        size_t got = 0;
        rc = inflate_read(f, chunk, CHUNK, &got, err);
        size_t from = skip < got ? skip : got;
        skip -= from;
        feed(&c, t, chunk + from, got - from);
    }
    inflate_free(f);
    free(chunk);
    return rc == RC_END ? buf_check(&t->names, err) : rc;
}

static struct str name_of(yyjson_val *pair)
{
    yyjson_val *name = yyjson_arr_get(pair, 1);
    return str_make(yyjson_get_str(name), yyjson_get_len(name));
}

static void list_names(yyjson_val *names, const struct tables *t, struct buf *out)
{
    size_t i, n;
    yyjson_val *pair;
    yyjson_arr_foreach(names, i, n, pair)
    {
        uint64_t place = yyjson_get_uint(yyjson_arr_get(pair, 0));
        uint64_t items = place < TABLES ? t->items[place] : 0;
        buf_addf(out, "%s\"%.*s\" (%llu item%s)", i ? ", " : "", STR_FMT(name_of(pair)),
                 (unsigned long long)items, items == 1 ? "" : "s");
    }
}

static enum rc choose(struct input *in, struct str table, yyjson_val *names,
                      const struct tables *t, struct arena *a, struct err *err)
{
    struct buf list;
    size_t i, n;
    yyjson_val *pair;
    yyjson_arr_foreach(names, i, n, pair)
    {
        if (!str_eq(name_of(pair), table))
            continue;
        in->table = arena_dup(a, table);
        in->table_index = (unsigned)yyjson_get_uint(yyjson_arr_get(pair, 0));
        return in->table.p ? RC_OK : err_nomem(err);
    }
    (void)err_set(err, RC_USAGE, "\"%s\" has no table \"%.*s\"", in->path, STR_FMT(table));
    buf_init(&list, 1200);
    list_names(names, t, &list);
    enum rc rc =
        list.len ? err_hint(err, "it has %s", buf_cstr(&list))
                 : err_hint(err, "what stands behind # is a table of a NoSQL Workbench file");
    buf_release(&list);
    return rc;
}

enum rc workbench_look(struct input *in, struct str table, struct arena *a, struct buf *notice,
                       struct err *err)
{
    struct tables t = {0};
    buf_init(&t.names, BUF_NO_LIMIT);
    buf_putc(&t.names, '[');
    enum rc rc = in->format == FORMAT_DOCUMENT ? walk(in, &t, err) : RC_OK;
    buf_putc(&t.names, ']');
    yyjson_doc *doc = rc || t.names.rc ? NULL : yyjson_read(t.names.p, t.names.len, 0);
    yyjson_val *names = yyjson_doc_get_root(doc);
    if (!rc && table.n) {
        rc = choose(in, table, names, &t, a, err);
    } else if (!rc && yyjson_arr_size(names) > 1) {
        buf_addf(notice, "%s\"%s\" has the tables ", notice->len ? "; " : "", in->path);
        list_names(names, &t, notice);
        buf_addf(notice, ": all are read; %s#%.*s is one of them", in->path,
                 STR_FMT(name_of(yyjson_arr_get_first(names))));
    }
    yyjson_doc_free(doc);
    buf_release(&t.names);
    return rc;
}
