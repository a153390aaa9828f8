/* SPDX-License-Identifier: MIT */
/*
 * Streams that several readers take slices from. Inflating happens under the stream's lock, for
 * it cannot be shared; parsing, which takes longer, does not.
 */
#include "pipeline/source/files/file_reader.h"

struct shared_stream *shared_choose(struct files *f)
{
    struct shared_stream *best = NULL;
    (void)pthread_mutex_lock(&f->mu);
    for (size_t i = 0; i < f->nstreams; i++) {
        struct shared_stream *s = &f->streams[i];
        if (!s->over && (!best || s->users < best->users))
            best = s;
    }
    if (best)
        best->users++;
    (void)pthread_mutex_unlock(&f->mu);
    return best;
}

void shared_leave(struct files *f, struct shared_stream *s, bool over)
{
    (void)pthread_mutex_lock(&f->mu);
    s->users--;
    s->over = s->over || over;
    (void)pthread_mutex_unlock(&f->mu);
}

/* lock: s->mu. */
static enum rc open_shared(struct files *f, struct shared_stream *s, struct err *err)
{
    struct inflate *opened = s->opened;
    if (s->stream)
        return RC_OK;
    s->opened = NULL;
    return stream_open(s->in, opened, &f->limits, f->limits.slice_bytes, &s->stream, err);
}

/* lock: s->mu. The next slice with anything in it; RC_END. */
static enum rc inflate_next(struct files *f, struct shared_stream *s, struct page *page,
                            struct err *err)
{
    if (s->ended)
        return RC_END;
    enum rc rc = open_shared(f, s, err);
    if (!rc)
        rc = stream_next(s->stream, page, err);
    if (!rc && page->last) {
        s->ended = true;
        stream_free(s->stream);
        s->stream = NULL;
        if (page->format == PAGE_EXTENTS ? page->nextents == 0 : page->raw.len == 0)
            rc = RC_END;
    }
    return rc;
}

static enum rc number(struct files *f, struct shared_stream *s, uint32_t *segment,
                      struct err *err)
{
    uint64_t id =
        (uint64_t)s->next * f->nstreams + (uint64_t)(s - f->streams) + f->plain_segments;
    if (id >= UINT32_MAX) {
        (void)err_set(err, RC_USAGE, "\"%s\" has too many slices", s->in->path);
        return err_hint(err, "read fewer files at once, or larger slices");
    }
    s->next++;
    *segment = (uint32_t)id;
    return RC_OK;
}

enum rc shared_next(struct files *f, struct shared_stream *s, struct page *page,
                    uint32_t *segment, struct err *err)
{
    (void)pthread_mutex_lock(&s->mu);
    enum rc rc = s->failed.rc;
    if (rc) {
        *err = s->failed;
    } else {
        rc = inflate_next(f, s, page, err);
        if (!rc)
            rc = number(f, s, segment, err);
        if (rc && rc != RC_END && rc != RC_AGAIN)
            s->failed = *err;
    }
    (void)pthread_mutex_unlock(&s->mu);
    return rc;
}
