/* SPDX-License-Identifier: MIT */
/* The pages of a stream that an earlier run had done are read over. */
#include "pipeline/source/files/file_lane.h"

void file_lane_init(struct file_lane *l, struct files *files, const struct origin *origin)
{
    *l = (struct file_lane){.files = files, .origin = origin};
    slicer_init(&l->slicer);
}

void file_lane_release(struct file_lane *l)
{
    file_lane_end(l);
    slicer_release(&l->slicer);
}

void file_lane_end(struct file_lane *l)
{
    stream_free(l->stream);
    l->stream = NULL;
    l->state = FILE_LANE_IDLE;
}

/* The input as this lane opens it. */
static const struct input *own(struct file_lane *l, const struct input *in)
{
    if (!l->origin)
        return in;
    if (l->of != in) {
        slicer_release(&l->slicer); /* it tells files apart by where they stand */
        l->of = in;
        l->in = *in;
        l->in.origin = l->origin;
    }
    return &l->in;
}

enum rc file_lane_open(struct file_lane *l, struct shared_stream *s, size_t cut,
                       struct err *err)
{
    (void)pthread_mutex_lock(&s->mu);
    struct inflate *opened = s->opened;
    s->opened = NULL;
    (void)pthread_mutex_unlock(&s->mu);
    if (!opened && !s->in->facts.again)
        return err_set(err, RC_SOURCE, "\"%s\" cannot be read again", s->in->path);
    return stream_open(own(l, s->in), opened, &l->files->limits, cut, &l->stream, err);
}

static enum rc start_whole(struct file_lane *l, uint32_t index, struct str resume,
                           struct err *err)
{
    unsigned long long at = 0;
    struct shared_stream *s = &l->files->streams[index];
    if (resume.n && !str_uint(resume, &at)) {
        return err_set(err, RC_SOURCE, "\"%s\": resume key \"%.*s\" is not an offset",
                       s->in->path, STR_FMT(resume));
    }
    l->resume = at;
    l->state = FILE_LANE_STREAM;
    return file_lane_open(l, s, l->files->limits.page_bytes, err);
}

static enum rc start_slices(struct file_lane *l, uint32_t segment, struct str resume,
                            struct err *err)
{
    struct files *f = l->files;
    const struct plain_file *p = files_plain(f, segment);
    l->state = FILE_LANE_SLICES;
    enum rc rc =
        slicer_start(&l->slicer, own(l, p->in), &f->limits, segment - p->first, resume, err);
    if (!rc && resume.n) {
        uint64_t begin = (uint64_t)(segment - p->first) * f->limits.slice_bytes;
        atomic_fetch_add(&f->passed, l->slicer.at - begin);
    }
    return rc;
}

enum rc file_lane_start(struct file_lane *l, uint32_t segment, struct str resume,
                        struct err *err)
{
    const struct files *f = l->files;
    file_lane_end(l);
    l->segment = segment;
    l->sequence = 0;
    if (segment < f->plain_segments)
        return start_slices(l, segment, resume, err);
    if (f->whole && segment - f->plain_segments < f->nstreams)
        return start_whole(l, segment - f->plain_segments, resume, err);
    return err_set(err, RC_SOURCE, "there is no segment %u", segment);
}

/* Pages of an earlier run are read over; the last is handed out, emptied, all the same. */
static enum rc next_of_stream(struct file_lane *l, struct page *page, struct err *err)
{
    for (;;) {
        unsigned long long end = 0;
        enum rc rc = stream_next(l->stream, page, err);
        if (rc || !str_uint(buf_view(&page->resume), &end) || end > l->resume)
            return rc;
        atomic_fetch_add(&l->files->passed, page->bytes_in);
        page->bytes_in = 0;
        if (page->last) {
            page->format = PAGE_LINES;
            page->raw.len = 0;
            return RC_OK;
        }
    }
}

enum rc file_lane_next(struct file_lane *l, struct page *page, struct err *err)
{
    enum rc rc = l->state == FILE_LANE_SLICES ? slicer_next(&l->slicer, page, err)
                                              : next_of_stream(l, page, err);
    if (rc)
        return rc;
    page->segment = l->segment;
    page->input = files_input(l->files, l->segment)->path;
    page->part = files_input(l->files, l->segment)->part;
    page->sequence = l->sequence++;
    page->bytes_passed = atomic_exchange(&l->files->passed, 0);
    if (page->last)
        file_lane_end(l);
    return RC_OK;
}
