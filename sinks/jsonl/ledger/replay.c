/* SPDX-License-Identifier: MIT */
/*
 * Records of one segment or file come from one log in order, and logs are read in the order
 * of the processes that wrote them; so the last record about anything is right. Counters and
 * reasons are sums.
 */
#include "sinks/jsonl/ledger/replay.h"

#include <stdlib.h>

#include <yyjson.h>

#include "pipeline/base/base64.h"
#include "pipeline/base/memory.h"

enum { MAX_COUNTERS = 1 << 24, MAX_SEGMENTS = 1 << 26, MAX_FILES = 1 << 28 };

/* One more zeroed element at the end of an array that grows by doubling. */
static void *push(void *array, size_t n, size_t size)
{
    void *p = array;
    if (n == 0 || (n >= 8 && (n & (n - 1)) == 0)) {
        p = realloc(array, (n ? 2 * n : 8) * size);
        if (!p)
            return NULL;
    }
    memset((char *)p + n * size, 0, size);
    return p;
}

struct jsonl_segment *jsonl_state_segment(struct jsonl_state *st, uint32_t segment)
{
    while (segment < MAX_SEGMENTS && st->nsegments <= segment) {
        struct jsonl_segment *more = push(st->segments, st->nsegments, sizeof *more);
        if (!more)
            return NULL;
        st->segments = more;
        st->nsegments++;
    }
    return segment < st->nsegments ? &st->segments[segment] : NULL;
}

static uint64_t num(yyjson_val *obj, const char *name)
{
    return yyjson_get_uint(yyjson_obj_get(obj, name));
}

static enum rc bad(struct err *err)
{
    return err_set(err, RC_SINK, "the ledger holds a record that makes no sense");
}

static struct str text(yyjson_val *obj, const char *name)
{
    yyjson_val *v = yyjson_obj_get(obj, name);
    return str_make(yyjson_get_str(v), yyjson_get_len(v));
}

static enum rc own_base64(struct str *out, struct str b64, struct err *err)
{
    size_t n = 0, at = 0;
    unsigned char *p = malloc(base64_room(b64.n) + 1);
    if (!p)
        return err_nomem(err);
    enum rc rc = base64_decode(b64, p, &n, &at)
                     ? jsonl_state_own(out, str_make((const char *)p, n), err)
                     : bad(err);
    free(p);
    return rc;
}

static enum rc add_counters(struct jsonl_state *st, yyjson_val *pairs, struct err *err)
{
    size_t n = yyjson_arr_size(pairs);
    for (size_t i = 0; i + 1 < n; i += 2) {
        uint64_t at = yyjson_get_uint(yyjson_arr_get(pairs, i));
        if (at >= MAX_COUNTERS)
            return bad(err);
        if (at >= st->ncounters) {
            uint64_t *more = realloc(st->counters, (at + 1) * sizeof *more);
            if (!more)
                return err_nomem(err);
            memset(more + st->ncounters, 0, (at + 1 - st->ncounters) * sizeof *more);
            st->counters = more;
            st->ncounters = (uint32_t)at + 1;
        }
        st->counters[at] += yyjson_get_uint(yyjson_arr_get(pairs, i + 1));
    }
    return RC_OK;
}

static enum rc apply_mark(struct jsonl_state *st, yyjson_val *m, struct err *err)
{
    struct jsonl_segment *seg = jsonl_state_segment(st, (uint32_t)num(m, "s"));
    if (!seg)
        return num(m, "s") >= MAX_SEGMENTS ? bad(err) : err_nomem(err);
    bool done = yyjson_get_bool(yyjson_obj_get(m, "d"));
    if (done && !seg->done)
        st->segments_done++;
    seg->done = seg->done || done;
    if ((uint32_t)num(m, "e") > seg->epoch)
        seg->epoch = (uint32_t)num(m, "e");
    enum rc rc = own_base64(&seg->resume, text(m, "r"), err);
    return rc ? rc : add_counters(st, yyjson_obj_get(m, "c"), err);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool unhex(struct str s, unsigned char *out, size_t n)
{
    bool good = s.n == 2 * n;
    for (size_t i = 0; i < n && good; i++) {
        int hi = hex_digit(s.p[2 * i]), lo = hex_digit(s.p[2 * i + 1]);
        good = hi >= 0 && lo >= 0;
        out[i] = (unsigned char)(good ? hi << 4 | lo : 0);
    }
    return good;
}

struct jsonl_file *jsonl_state_file(const struct jsonl_state *st, uint32_t id)
{
    return id < st->nfile_at && st->file_at[id] ? &st->files[st->file_at[id] - 1] : NULL;
}

/* Numbers are given in order, so there are about as many places as files. */
static bool have_place(struct jsonl_state *st, uint32_t id)
{
    if (id < st->nfile_at)
        return true;
    size_t n = 2 * ((size_t)id + 8);
    uint32_t *more = realloc(st->file_at, n * sizeof *more);
    if (!more)
        return false;
    memset(more + st->nfile_at, 0, (n - st->nfile_at) * sizeof *more);
    st->file_at = more;
    st->nfile_at = n;
    return true;
}

/* The file of that number, new where it is not known. NULL: no memory. */
static struct jsonl_file *have_file(struct jsonl_state *st, uint32_t id)
{
    struct jsonl_file *f = jsonl_state_file(st, id);
    if (f)
        return f;
    if (!have_place(st, id))
        return NULL;
    struct jsonl_file *more = push(st->files, st->nfiles, sizeof *more);
    if (!more)
        return NULL;
    st->files = more;
    f = &more[st->nfiles++];
    f->id = id;
    st->file_at[id] = (uint32_t)st->nfiles;
    return f;
}

static enum rc apply_file(struct jsonl_state *st, yyjson_val *v, struct err *err)
{
    if (num(v, "f") >= MAX_FILES)
        return bad(err);
    uint32_t id = (uint32_t)num(v, "f");
    struct jsonl_file *f = have_file(st, id);
    if (!f)
        return err_nomem(err);
    f->stream = (uint32_t)num(v, "s");
    f->bytes = num(v, "n");
    f->rows = num(v, "r");
    f->raw = num(v, "w");
    struct str sha = text(v, "h");
    f->ended = sha.n != 0;
    if (f->ended && !unhex(sha, f->sha, ZST_SHA))
        return bad(err);
    if (id > st->last_file)
        st->last_file = id;
    return RC_OK;
}

static enum rc apply_reason(struct jsonl_state *st, yyjson_val *v, struct err *err)
{
    struct reason one = {.kind = num(v, "k") ? REJECT_UNROUTED : REJECT_ITEM,
                         .name = text(v, "n"),
                         .column = text(v, "o"),
                         .count = num(v, "c"),
                         .example = text(v, "e"),
                         .segment = (uint32_t)num(v, "s"),
                         .position = num(v, "p")};
    return reasons_add(&st->reasons, &one, err);
}

static enum rc apply_extra(struct jsonl_state *st, yyjson_val *v, struct err *err)
{
    struct extra x = {.name = text(v, "n"), .example = text(v, "x")};
    yyjson_val *pairs = yyjson_obj_get(v, "c");
    x.at = (struct extra_place){(uint32_t)num(v, "s"), num(v, "i")};
    for (size_t i = 0; i + 1 < yyjson_arr_size(pairs); i += 2) {
        uint64_t kind = yyjson_get_uint(yyjson_arr_get(pairs, i));
        if (kind >= PROFILE_KINDS)
            return bad(err);
        x.counts[kind] += yyjson_get_uint(yyjson_arr_get(pairs, i + 1));
    }
    return extras_add(&st->extras, (uint32_t)num(v, "p"), &x) ? err_nomem(err) : RC_OK;
}

/*
 * Logs are read one after the other: what drops a file may come before what made it, and the
 * file stays dropped then. Numbers are never used again.
 */
static enum rc apply_drop(struct jsonl_state *st, yyjson_val *v, struct err *err)
{
    if (yyjson_get_uint(v) >= MAX_FILES)
        return bad(err);
    struct jsonl_file *f = have_file(st, (uint32_t)yyjson_get_uint(v));
    if (!f)
        return err_nomem(err);
    f->dropped = true;
    return RC_OK;
}

/* Keeps a plan as JSON text, for only the store knows what it says. */
static enum rc keep_plan(struct str *out, yyjson_val *plan, struct err *err)
{
    size_t n = 0;
    if (!plan)
        return RC_OK;
    char *json = yyjson_val_write(plan, 0, &n);
    if (!json)
        return err_nomem(err);
    memory_disown(out);
    *out = str_make(json, n);
    return RC_OK;
}

static enum rc apply_held(struct jsonl_held *held, yyjson_val *v, struct err *err)
{
    if (!v)
        return RC_OK;
    enum rc rc = keep_plan(&held->plan, yyjson_obj_get(v, "plan"), err);
    if (!rc)
        rc = jsonl_state_own(&held->judged, text(v, "judged"), err);
    if (!rc)
        rc = jsonl_state_own(&held->from, text(v, "from"), err);
    return rc ? rc : jsonl_state_own(&held->why, text(v, "why"), err);
}

static enum rc apply_reduced(struct jsonl_state *st, yyjson_val *v, struct err *err)
{
    (void)err;
    if (st->reduced && yyjson_get_uint(v) < st->nextracts)
        st->reduced[yyjson_get_uint(v)] = true;
    return RC_OK;
}

static struct jsonl_waiting *have_waiting(struct jsonl_state *st, uint32_t stream)
{
    while (st->nwaiting <= stream) {
        struct jsonl_waiting *more = push(st->waiting, st->nwaiting, sizeof *more);
        if (!more)
            return NULL;
        st->waiting = more;
        st->nwaiting++;
    }
    return &st->waiting[stream];
}

/* Pairs of a stream and its rows, which came to the spills, or left them for good. */
static enum rc apply_spill(struct jsonl_state *st, yyjson_val *pairs, bool left,
                           struct err *err)
{
    yyjson_val *v;
    size_t i, n;
    struct jsonl_waiting *w = NULL;
    yyjson_arr_foreach(pairs, i, n, v)
    {
        uint64_t value = yyjson_get_uint(v);
        if (value > (i % 2 ? (uint64_t)INT64_MAX / 2 : MAX_COUNTERS))
            return bad(err);
        if (i % 2 == 0) {
            w = have_waiting(st, (uint32_t)value);
            if (!w)
                return err_nomem(err);
            w->done = w->done || left;
        } else {
            w->rows += left ? -(int64_t)value : (int64_t)value;
        }
    }
    return RC_OK;
}

/* Each member of a record that is a list, and what one element of it does. */
static const struct {
    const char *name;
    enum rc (*apply)(struct jsonl_state *st, yyjson_val *v, struct err *err);
} LISTS[] = {
    {"marks", apply_mark}, {"files", apply_file},      {"reasons", apply_reason},
    {"drop", apply_drop},  {"reduced", apply_reduced}, {"extra", apply_extra},
};

static enum rc apply_all(struct jsonl_state *st, yyjson_val *root, struct err *err)
{
    enum rc rc = keep_plan(&st->plan, yyjson_obj_get(root, "swaps"), err);
    if (!rc)
        rc = apply_held(&st->held, yyjson_obj_get(root, "held"), err);
    for (size_t i = 0; i < sizeof LISTS / sizeof LISTS[0]; i++) {
        yyjson_val *v;
        size_t at, n;
        yyjson_val *list = yyjson_obj_get(root, LISTS[i].name);
        yyjson_arr_foreach(list, at, n, v)
        {
            if (!rc)
                rc = LISTS[i].apply(st, v, err);
        }
    }
    if (!rc)
        rc = apply_spill(st, yyjson_obj_get(root, "spilled"), false, err);
    if (!rc)
        rc = apply_spill(st, yyjson_obj_get(root, "unspilled"), true, err);
    st->conflicts += num(root, "conflicts");
    st->missing_mirrors += num(root, "mirrors");
    if (num(root, "phase") > (uint64_t)st->phase && num(root, "phase") <= JSONL_PUBLISHED)
        st->phase = (enum jsonl_phase)num(root, "phase");
    return rc;
}

enum rc jsonl_state_apply(void *ctx, struct str json, struct err *err)
{
    yyjson_read_err why = {0};
    union {
        const char *from;
        char *to; /* yyjson's parameter lacks const; without INSITU it is only read */
    } text = {.from = json.p};
    yyjson_doc *doc = yyjson_read_opts(text.to, json.n, 0, NULL, &why);
    if (why.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION)
        return err_nomem(err);
    yyjson_val *root = yyjson_doc_get_root(doc);
    enum rc rc = yyjson_is_obj(root) ? apply_all(ctx, root, err) : bad(err);
    yyjson_doc_free(doc);
    return rc;
}
