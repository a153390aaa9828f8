/* SPDX-License-Identifier: MIT */
/*
 * Sorts the inputs into plain files of lines and streams, numbers their segments, and writes
 * down what makes this source the same again. Whether streams are whole segments or sliced
 * depends on their number alone, so that a run can be resumed with any number of workers.
 */
#include "pipeline/source/files/files.h"

#include <stdlib.h>

#include "pipeline/base/json.h"
#include "pipeline/item/timestamp.h"
#include "pipeline/source/files/linked_reader.h"

enum {
    SLICE_BYTES = 4 << 20,
    PAGE_BYTES = 1 << 20,
    LINE_LIMIT = 16 << 20,
    SLICE_MIN = 16,
    FEW_STREAMS = 64,
    LANES = 8
};

static bool is_stream(const struct input *in)
{
    return in->listed || !in->facts.again || in->packing != PACK_NONE ||
           in->format != FORMAT_LINES;
}

static void set_limits(struct limits *l, const struct files_options *o)
{
    l->slice_bytes = o->slice_bytes ? o->slice_bytes : SLICE_BYTES;
    l->page_bytes = o->page_bytes ? o->page_bytes : PAGE_BYTES;
    l->line_limit = o->line_limit ? o->line_limit : LINE_LIMIT;
    if (l->slice_bytes < SLICE_MIN)
        l->slice_bytes = SLICE_MIN;
}

static enum rc add_plain(struct files *f, const struct input *in, struct err *err)
{
    uint64_t n = slicer_count(in, &f->limits);
    if (n > UINT32_MAX / 2 - f->plain_segments) {
        (void)err_set(err, RC_USAGE, "\"%s\" has too many slices", in->path);
        return err_hint(err, "read fewer files at once, or larger slices");
    }
    f->plain[f->nplain++] = (struct plain_file){in, f->plain_segments};
    f->plain_segments += (uint32_t)n;
    return RC_OK;
}

static void add_stream(struct files *f, size_t index)
{
    struct shared_stream *s = &f->streams[f->nstreams++];
    *s = (struct shared_stream){.in = &f->inputs.list[index]};
    s->opened = f->inputs.opened[index];
    f->inputs.opened[index] = NULL;
    (void)pthread_mutex_init(&s->mu, NULL);
}

static enum rc sort_out(struct files *f, struct err *err)
{
    size_t n = f->inputs.n;
    f->plain = calloc(n ? n : 1, sizeof *f->plain);
    f->streams = calloc(n ? n : 1, sizeof *f->streams);
    if (!f->plain || !f->streams)
        return err_nomem(err);
    enum rc rc = RC_OK;
    for (size_t i = 0; i < n && !rc; i++) {
        const struct input *in = &f->inputs.list[i];
        if (in->format == FORMAT_EMPTY)
            continue;
        if (is_stream(in)) {
            add_stream(f, i);
        } else {
            rc = add_plain(f, in, err);
        }
    }
    return rc;
}

static void add_hex(struct buf *b, const unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_addf(b, "%02x", p[i]);
}

static enum rc identify_input(struct buf *b, const struct input *in, struct err *err)
{
    struct buf whole;
    if (in->listed) {
        const char *slash = strrchr(in->path, '/');
        json_add_string(b, str_of(slash ? slash + 1 : in->path));
        buf_puts(b, " md5 ");
        add_hex(b, in->md5, sizeof in->md5);
        buf_addf(b, " items %llu\n", (unsigned long long)in->items);
        return RC_OK;
    }
    buf_init(&whole, BUF_NO_LIMIT);
    enum rc rc = in->origin->ops->whole_name(in->origin, in->path, &whole, err);
    json_add_string(b, buf_view(&whole));
    buf_addf(b, " %s size %llu ", format_name(in->format), (unsigned long long)in->facts.size);
    if (in->origin->ops->version) {
        buf_puts(b, "version ");
        in->origin->ops->version(in->origin, in->path, b);
    } else {
        buf_addf(b, "mtime %lld", (long long)in->facts.mtime_ns);
    }
    if (in->table.n) {
        buf_puts(b, " table ");
        json_add_string(b, in->table);
    }
    buf_putc(b, '\n');
    buf_release(&whole);
    return rc;
}

static enum rc identify(struct files *f, struct err *err)
{
    struct buf *b = &f->identity;
    buf_addf(b, "files 1 slice %zu page %zu limit %zu streams %s\n", f->limits.slice_bytes,
             f->limits.page_bytes, f->limits.line_limit, f->whole ? "whole" : "sliced");
    if (f->inputs.export_arn)
        buf_addf(b, "export %s\n", f->inputs.export_arn);
    if (f->base.plain)
        buf_puts(b, "form plain\n");
    enum rc rc = RC_OK;
    for (size_t i = 0; i < f->inputs.n && !rc; i++)
        rc = identify_input(b, &f->inputs.list[i], err);
    return rc ? rc : buf_check(b, err);
}

static void add_size(struct buf *b, uint64_t bytes)
{
    static const char *const UNITS[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    uint64_t tenths = bytes * 10;
    if (bytes >= UINT64_MAX / 10)
        tenths = UINT64_MAX;
    for (; tenths >= 10000 && unit + 1 < sizeof UNITS / sizeof UNITS[0]; unit++)
        tenths /= 1000;
    if (unit == 0) {
        buf_addf(b, "%llu bytes", (unsigned long long)bytes);
    } else {
        buf_addf(b, "%llu.%llu %s", (unsigned long long)(tenths / 10),
                 (unsigned long long)(tenths % 10), UNITS[unit]);
    }
}

static enum rc describe(struct files *f, struct err *err)
{
    struct buf *b = &f->description;
    const struct inputs *ins = &f->inputs;
    bool pipe = !f->base.resumable;
    if (ins->n == 1 && strcmp(ins->list[0].path, "-") == 0) {
        buf_puts(b, "standard input");
    } else if (ins->n == 1) {
        const struct str table = ins->list[0].table;
        buf_addf(b, "\"%s%s%.*s\"", ins->list[0].path, table.n ? "#" : "", STR_FMT(table));
    } else {
        buf_addf(b, "%zu files", ins->n);
    }
    if (!pipe) {
        buf_puts(b, ", ");
        add_size(b, f->base.bytes);
    }
    if (ins->export_arn)
        buf_puts(b, ", a full export");
    if (ins->left_out) {
        buf_addf(
            &f->notice,
            "%zu file%s not read, such as \"%s\": neither the name nor the content is that "
            "of items",
            ins->left_out, ins->left_out == 1 ? " is" : "s are", ins->left_out_name);
    }
    if (f->base.plain) {
        buf_puts(&f->notice, f->notice.len ? "; " : "");
        buf_puts(&f->notice, "the items are plain JSON, without type tags");
    }
    if (ins->tables.len) {
        buf_puts(&f->notice, f->notice.len ? "; " : "");
        buf_add_str(&f->notice, buf_view(&ins->tables));
    }
    enum rc rc = buf_check(&f->notice, err);
    return rc ? rc : buf_check(b, err);
}

/* The time of the export, else that of the newest file. */
static int64_t as_of_us(const struct inputs *ins)
{
    int64_t newest = 0, time = 0;
    bool cut = false;
    if (ins->export_time.n && timestamp_parse_stamp(ins->export_time, &time, &cut))
        return time;
    for (size_t i = 0; i < ins->n; i++) {
        int64_t us = ins->list[i].facts.mtime_ns / 1000;
        newest = us > newest ? us : newest;
    }
    return newest;
}

/* All inputs have one form: a run decodes in one way. */
static enum rc settle_form(struct files *f, struct err *err)
{
    const struct input *typed = NULL, *plain = NULL;
    for (size_t i = 0; i < f->inputs.n; i++) {
        const struct input *in = &f->inputs.list[i];
        plain = in->form == DECODER_PLAIN && !plain ? in : plain;
        typed = in->form == DECODER_TYPED && !typed ? in : typed;
    }
    f->base.plain = plain != NULL;
    if (!typed || !plain)
        return RC_OK;
    (void)err_set(err, RC_USAGE, "\"%s\" is plain JSON, \"%s\" is DynamoDB JSON", plain->path,
                  typed->path);
    return err_hint(err, "a run reads items of one form; --form plain or --form dynamodb "
                         "decides where they were taken for the wrong one");
}

static void sum_up(struct files *f)
{
    f->base.resumable = true;
    f->base.as_of_us = as_of_us(&f->inputs);
    for (size_t i = 0; i < f->inputs.n; i++) {
        f->base.bytes += f->inputs.list[i].facts.size;
        f->base.resumable = f->base.resumable && f->inputs.list[i].facts.again;
    }
    if (!f->base.resumable)
        f->base.bytes = 0;
    if (f->whole || f->nstreams == 0)
        f->base.segments = f->plain_segments + (uint32_t)f->nstreams;
}

const struct plain_file *files_plain(const struct files *f, uint32_t segment)
{
    size_t low = 0, high = f->nplain;
    while (high - low > 1) {
        size_t mid = (low + high) / 2;
        if (f->plain[mid].first <= segment) {
            low = mid;
        } else {
            high = mid;
        }
    }
    return &f->plain[low];
}

const struct input *files_input(const struct files *f, uint32_t segment)
{
    if (segment < f->plain_segments)
        return files_plain(f, segment)->in;
    return f->streams[(segment - f->plain_segments) % f->nstreams].in;
}

uint64_t files_bytes(const struct files *f, uint32_t segment)
{
    /* the length of a slice of a packed stream is known only when it has been unpacked */
    bool slice = segment >= f->plain_segments && !f->whole;
    if (segment >= f->plain_segments)
        return slice ? 0 : files_input(f, segment)->facts.size;
    const struct plain_file *p = files_plain(f, segment);
    uint64_t begin = (uint64_t)(segment - p->first) * f->limits.slice_bytes;
    uint64_t left = p->in->facts.size > begin ? p->in->facts.size - begin : 0;
    return left < f->limits.slice_bytes ? left : f->limits.slice_bytes;
}

static void free_files(struct source *s)
{
    struct files *f = (struct files *)(void *)s;
    for (size_t i = 0; i < f->nstreams; i++) {
        stream_free(f->streams[i].stream);
        inflate_free(f->streams[i].opened);
        (void)pthread_mutex_destroy(&f->streams[i].mu);
    }
    (void)pthread_mutex_destroy(&f->mu);
    free(f->plain);
    free(f->streams);
    buf_release(&f->identity);
    buf_release(&f->description);
    buf_release(&f->notice);
    const struct origin *origin = f->inputs.origin;
    inputs_release(&f->inputs);
    if (origin->ops->free)
        origin->ops->free((struct origin *)(uintptr_t)origin);
    free(f);
}

static struct files *of(struct source *s)
{
    return (struct files *)(void *)s;
}

static struct reader *new_reader(struct source *s, struct err *err)
{
    return file_reader_new(of(s), err);
}

static enum rc take(struct source *s, struct reader *r, uint32_t *segment, struct err *err)
{
    return file_reader_take(of(s), r, segment, err);
}

/* The same for an origin with links. */
static struct reader *new_linked(struct source *s, struct err *err)
{
    return linked_reader_new(of(s), err);
}

static enum rc take_linked(struct source *s, struct reader *r, uint32_t *segment,
                           struct err *err)
{
    return linked_reader_take(of(s), r, segment, err);
}

static enum rc tick(struct source *s, struct err *err)
{
    const struct origin *o = of(s)->inputs.origin;
    return o->ops->tick ? o->ops->tick(o, err) : RC_OK;
}

static struct files *files_new(const struct files_options *opts)
{
    static const struct source_ops OPS = {
        .take = take, .reader = new_reader, .free = free_files};
    static const struct source_ops LINKED_OPS = {
        .take = take_linked, .reader = new_linked, .free = free_files, .tick = tick};
    struct files *f = calloc(1, sizeof *f);
    if (!f)
        return NULL; /* the origin is lost, too, and so is the process */
    inputs_init(&f->inputs, opts->origin ? opts->origin : &origin_local);
    f->linked = f->inputs.origin->ops->link != NULL;
    f->base.ops = f->linked ? &LINKED_OPS : &OPS;
    f->base.kind = "files";
    f->base.ahead = f->linked ? opts->lanes ? opts->lanes : LANES : 1;
    f->inputs.form = opts->form;
    f->inputs.stop = opts->stop;
    buf_init(&f->identity, BUF_NO_LIMIT);
    buf_init(&f->description, BUF_NO_LIMIT);
    buf_init(&f->notice, BUF_NO_LIMIT);
    set_limits(&f->limits, opts);
    (void)pthread_mutex_init(&f->mu, NULL);
    return f;
}

enum rc files_open(const struct files_options *opts, struct source **out, struct err *err)
{
    struct files *f = files_new(opts);
    *out = NULL;
    if (!f)
        return err_nomem(err);
    enum rc rc = RC_OK;
    if (opts->npaths == 0)
        rc = err_set(err, RC_USAGE, "no file was named");
    for (size_t i = 0; i < opts->npaths && !rc; i++)
        rc = inputs_add(&f->inputs, opts->paths[i], err);
    if (!rc)
        rc = settle_form(f, err);
    if (!rc)
        rc = sort_out(f, err);
    if (!rc) {
        f->whole = f->linked || f->nstreams >= FEW_STREAMS;
        sum_up(f);
        rc = identify(f, err);
    }
    if (!rc)
        rc = describe(f, err);
    if (rc) {
        free_files(&f->base);
        return rc;
    }
    f->base.identity = buf_view(&f->identity);
    f->base.description = buf_view(&f->description);
    f->base.notice = buf_view(&f->notice);
    f->base.parts = f->inputs.parts;
    f->base.nparts = f->inputs.nparts;
    *out = &f->base;
    return RC_OK;
}
