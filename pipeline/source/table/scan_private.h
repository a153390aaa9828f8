/* SPDX-License-Identifier: MIT */
/* What the scan of a table, its readers and its watch share. */
#ifndef SOURCE_TABLE_SCAN_PRIVATE_H
#define SOURCE_TABLE_SCAN_PRIVATE_H

#include <pthread.h>

#include "pipeline/aws/dynamodb/budget.h"
#include "pipeline/aws/dynamodb/client.h"
#include "pipeline/source/table/scan.h"
#include "pipeline/source/table/scan_cut.h"
#include "pipeline/source/table/scan_keys.h"
#include "pipeline/source/table/scan_pace.h"

struct scan_watch;

struct scan {
    struct source base;
    struct source_part part;
    const struct source_part *parts[1];
    struct scan_options opts;
    struct arena arena; /* of the table's description */
    struct aws_settings settings;
    struct creds_provider *creds; /* a cache */
    struct dynamodb ddb;
    bool settled, connected; /* settings and ddb are to be released */
    struct dynamodb_table table;
    const struct dynamodb_index *index;
    struct scan_keys keys;       /* of table and index */
    struct budget_limits limits; /* as the budget was told last; thread: main */
    struct budget budget;
    struct scan_sizes sizes;
    struct buf request; /* the members that all Scan requests have, without the brackets */
    struct buf pushed;  /* part of the identity */
    struct buf identity, description;
    char ttl_trouble[512];
    struct scan_watch *watch;
    void (*look)(void *ctx, const struct dynamodb_table *now); /* may be NULL */
    void *look_ctx;
    int64_t kept_us; /* thread: main. When the credentials were looked after last */
    pthread_mutex_t mu;
    uint32_t next; /* lock: mu. Segments handed out */
};

extern const struct source_ops scan_ops;

/* thread: main, before the readers. */
void scan_set_segments(struct scan *s, uint32_t n);

/* What makes it the same scan again, and what all requests say: from table and push-down. */
enum rc scan_identify(struct scan *s, struct err *err) MUST_CHECK;
void scan_write_members(struct scan *s);

/* Returns owned, or NULL with err set. */
struct reader *scan_reader_new(struct scan *scan, struct err *err);

/* What an answer says besides its items. */
struct scan_answer {
    struct scan_rest rest;
    int64_t units;         /* millionths; -1: not said */
    uint64_t largest_item; /* bytes of its text */
};

/*
 * Cuts the answer to a Scan into the page: extents, resume key, last, counters; the body itself
 * stays where it is. RC_TRANSIENT: damaged.
 */
enum rc scan_answer_read(struct str body, struct page *page, struct scan_answer *out,
                         struct err *err) MUST_CHECK;

/* The table is looked at now and then while the run goes on. NULL when out of memory. */
struct scan_watch *scan_watch_new(struct scan *scan);
void scan_watch_free(struct scan_watch *w);
enum rc scan_watch_tick(struct scan_watch *w, struct err *err) MUST_CHECK;

/* Is `now` the table that was opened? */
enum rc scan_watch_same(const struct scan *scan, const struct dynamodb_table *now,
                        struct err *err) MUST_CHECK;

static inline int64_t scan_mono(const struct scan *s)
{
    return s->opts.env->mono_us(s->opts.env->ctx);
}

#endif
