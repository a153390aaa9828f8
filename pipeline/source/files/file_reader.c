/* SPDX-License-Identifier: MIT */
/*
 * A reader works on one segment at a time. The next slice of a shared stream is inflated by the
 * reader that needs it, under the stream's lock and into its own page, while the others parse
 * theirs; a reader stays with its stream, so that several streams go on side by side. A slice
 * that is asked for again (after it was handed out) is found by reading its file anew.
 */
#include "pipeline/source/files/file_lane.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "pipeline/base/memory.h"

enum { PAGES = 4, EXTRA_MAX = 15 };

struct file_reader {
    struct reader base;
    struct files *files;
    struct page pages[PAGES];
    bool out[PAGES]; /* lent to the worker, or held as `taken` */
    struct file_lane lane;
    struct page *taken; /* a slice that take inflated */
    uint32_t taken_segment;
    bool taken_started;           /* it is the segment at hand */
    struct shared_stream *shared; /* the stream we take slices from */
    int wake;
};

static struct file_reader *of(struct reader *r)
{
    return (struct file_reader *)(void *)r;
}

static struct page *free_page(struct file_reader *fr)
{
    for (size_t i = 0; i < PAGES; i++) {
        if (fr->out[i])
            continue;
        fr->out[i] = true;
        page_clear(&fr->pages[i]);
        return &fr->pages[i];
    }
    return NULL;
}

static void put_page(struct file_reader *fr, const struct page *page)
{
    fr->out[page - fr->pages] = false;
}

static bool is_idle(const struct file_reader *fr)
{
    return fr->lane.state == FILE_LANE_IDLE && !fr->taken_started;
}

static void drop_taken(struct file_reader *fr)
{
    if (fr->taken)
        put_page(fr, fr->taken);
    fr->taken = NULL;
    fr->taken_started = false;
}

/* ---- taking ---- */

static enum rc take_slice(struct file_reader *fr, uint32_t *segment, struct err *err)
{
    struct files *f = fr->files;
    struct page *page = free_page(fr);
    if (!page)
        return RC_AGAIN;
    if (!fr->shared)
        fr->shared = shared_choose(f);
    enum rc rc = RC_END;
    while (fr->shared) {
        rc = shared_next(f, fr->shared, page, segment, err);
        if (rc != RC_END)
            break;
        shared_leave(f, fr->shared, true);
        fr->shared = shared_choose(f);
    }
    if (rc) {
        put_page(fr, page);
        return rc;
    }
    drop_taken(fr);
    fr->taken = page;
    fr->taken_segment = *segment;
    return RC_OK;
}

enum rc file_reader_take(struct files *f, struct reader *r, uint32_t *segment, struct err *err)
{
    size_t known = f->plain_segments + (f->whole ? f->nstreams : 0);
    (void)pthread_mutex_lock(&f->mu);
    bool some = f->next < known;
    if (some)
        *segment = f->next++;
    (void)pthread_mutex_unlock(&f->mu);
    if (some)
        return RC_OK;
    return f->whole ? RC_END : take_slice(of(r), segment, err);
}

/* ---- reading ---- */

/* Reads the file of a slice anew, up to and with that slice. */
static enum rc find_slice(struct file_reader *fr, uint32_t segment, struct err *err)
{
    struct files *f = fr->files;
    uint32_t at = segment - f->plain_segments;
    struct shared_stream *s = &f->streams[at % f->nstreams];
    struct page *page = s->in->facts.again ? free_page(fr) : NULL;
    if (!page)
        return err_set(err, RC_SOURCE, "cannot read \"%s\" again", s->in->path);
    enum rc rc = file_lane_open(&fr->lane, s, f->limits.slice_bytes, err);
    for (uint64_t k = 0; k <= at / f->nstreams && !rc; k++) {
        do {
            rc = stream_next(fr->lane.stream, page, err);
        } while (rc == RC_AGAIN && !input_stopped(s->in, err));
        if (rc == RC_AGAIN)
            rc = RC_CANCEL;
    }
    file_lane_end(&fr->lane);
    if (rc == RC_END) {
        rc = err_set(err, RC_SOURCE, "\"%s\" has no slice %llu", s->in->path,
                     (unsigned long long)(at / f->nstreams));
    }
    if (rc) {
        put_page(fr, page);
        return rc;
    }
    drop_taken(fr);
    fr->taken = page;
    fr->taken_segment = segment;
    return RC_OK;
}

static enum rc start_slice(struct file_reader *fr, uint32_t segment, struct str resume,
                           struct err *err)
{
    enum rc rc = RC_OK;
    if (!fr->taken || fr->taken_segment != segment)
        rc = find_slice(fr, segment, err);
    if (rc || !fr->taken)
        return rc;
    fr->taken_started = true;
    if (resume.n) { /* a slice is one page, so any resume key says that it was done */
        fr->taken->format = PAGE_LINES;
        fr->taken->raw.len = 0;
    }
    return RC_OK;
}

static enum rc start(struct reader *r, uint32_t segment, struct str resume, struct err *err)
{
    struct file_reader *fr = of(r);
    const struct files *f = fr->files;
    if (segment < f->plain_segments || f->whole || f->nstreams == 0)
        return file_lane_start(&fr->lane, segment, resume, err);
    file_lane_end(&fr->lane);
    fr->lane.segment = segment;
    return start_slice(fr, segment, resume, err);
}

static void drop_slice(struct file_reader *fr, uint32_t segment)
{
    if (fr->taken && fr->taken_segment == segment)
        drop_taken(fr);
}

/* It was done before: for progress it is behind us. */
static void skip(struct reader *r, uint32_t segment)
{
    struct file_reader *fr = of(r);
    uint64_t bytes = files_bytes(fr->files, segment);
    if (fr->taken && fr->taken_segment == segment)
        bytes = fr->taken->bytes_in;
    atomic_fetch_add(&fr->files->passed, bytes);
    drop_slice(fr, segment);
}

static void hand_out_slice(struct file_reader *fr, struct page **page)
{
    *page = fr->taken;
    fr->taken = NULL;
    fr->taken_started = false;
    (*page)->segment = fr->taken_segment;
    (*page)->input = files_input(fr->files, fr->taken_segment)->path;
    (*page)->part = files_input(fr->files, fr->taken_segment)->part;
    (*page)->sequence = 0;
    (*page)->bytes_passed = atomic_exchange(&fr->files->passed, 0);
    (*page)->last = true;
}

static enum rc next(struct reader *r, struct page **page, struct err *err)
{
    struct file_reader *fr = of(r);
    if (is_idle(fr))
        return RC_END;
    if (fr->taken_started) {
        hand_out_slice(fr, page);
        return RC_OK;
    }
    *page = free_page(fr);
    if (!*page)
        return RC_AGAIN;
    enum rc rc = file_lane_next(&fr->lane, *page, err);
    if (rc)
        put_page(fr, *page);
    return rc;
}

static void give_back(struct reader *r, struct page *page)
{
    put_page(of(r), page);
}

/* ---- waiting ---- */

static enum rc wait_extra(struct reader *r, struct pollfd *extra, size_t nextra, int timeout_ms,
                          struct err *err)
{
    struct file_reader *fr = of(r);
    struct pollfd fds[EXTRA_MAX + 1];
    uint64_t count;
    if (nextra > EXTRA_MAX)
        return err_set(err, RC_SOURCE, "more than %d descriptors to wait for", EXTRA_MAX);
    for (size_t i = 0; i < nextra; i++)
        fds[i] = extra[i];
    fds[nextra] = (struct pollfd){.fd = fr->wake, .events = POLLIN};
    /* a segment that was started can be read at once; `extra` says that the sink is waited for */
    bool block = is_idle(fr) || nextra > 0;
    int n = poll(fds, nextra + 1, block ? timeout_ms : 0);
    if (n < 0 && errno != EINTR)
        return err_errno(err, RC_SOURCE, errno, "cannot wait");
    for (size_t i = 0; i < nextra; i++)
        extra[i].revents = n > 0 ? fds[i].revents : 0;
    if (n > 0 && fds[nextra].revents && read(fr->wake, &count, sizeof count) < 0 &&
        errno != EAGAIN && errno != EINTR) {
        return err_errno(err, RC_SOURCE, errno, "cannot wait");
    }
    return RC_OK;
}

static void wake(struct reader *r)
{
    uint64_t one = 1;
    /* the write fails only if the counter is at its top, and then the wait ends as well */
    ssize_t n = write(of(r)->wake, &one, sizeof one);
    (void)n;
}

static void stop(struct reader *r, uint32_t segment)
{
    struct file_reader *fr = of(r);
    drop_slice(fr, segment);
    if (fr->lane.state != FILE_LANE_IDLE && fr->lane.segment == segment)
        file_lane_end(&fr->lane);
}

static void free_reader(struct reader *r)
{
    struct file_reader *fr = of(r);
    if (fr->shared)
        shared_leave(fr->files, fr->shared, false);
    file_lane_release(&fr->lane);
    for (size_t i = 0; i < PAGES; i++)
        page_release(&fr->pages[i]);
    if (fr->wake >= 0)
        (void)close(fr->wake);
    free(fr);
}

struct reader *file_reader_new(struct files *files, struct err *err)
{
    static const struct reader_ops OPS = {
        .start = start,
        .skip = skip,
        .next = next,
        .give_back = give_back,
        .wait = wait_extra,
        .wake = wake,
        .stop = stop,
        .free = free_reader,
    };
    struct file_reader *fr = memory_new(sizeof *fr, err);
    if (!fr)
        return NULL;
    fr->base.ops = &OPS;
    fr->files = files;
    file_lane_init(&fr->lane, files, NULL);
    for (size_t i = 0; i < PAGES; i++)
        page_init(&fr->pages[i], limits_page_max(&files->limits));
    fr->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fr->wake < 0) {
        (void)err_errno(err, RC_TRANSIENT, errno, "cannot make an event descriptor");
        free_reader(&fr->base);
        return NULL;
    }
    return &fr->base;
}
