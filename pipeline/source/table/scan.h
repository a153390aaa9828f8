/* SPDX-License-Identifier: MIT */
/*
 * A live DynamoDB table, read by parallel Scan segments. Each reader keeps several segments in
 * flight on one event loop; one capacity budget and one retry quota hold for all of them. The
 * resume key of a segment is the LastEvaluatedKey, as the service wrote it.
 */
#ifndef SOURCE_TABLE_SCAN_H
#define SOURCE_TABLE_SCAN_H

#include "pipeline/aws/dynamodb/budget.h"
#include "pipeline/aws/dynamodb/describe.h"
#include "pipeline/aws/settings.h"
#include "pipeline/aws/vars.h"
#include "pipeline/source/source.h"

enum scan_pace_kind {
    SCAN_PACE_DEFAULT, /* half of what is provisioned; on demand: adaptive */
    SCAN_PACE_UNITS,   /* so many units a second */
    SCAN_PACE_PERCENT, /* of what the table can give */
    SCAN_PACE_MAX      /* all it can give */
};

struct scan_pace {
    enum scan_pace_kind kind;
    int64_t n;
};

/* Places of a table that a scattered scan reads from at once. */
enum { SCAN_SCATTER = 16 };

struct scan_options {
    struct str table; /* a name or an ARN; borrowed for the life of the source, as all texts */
    struct str index; /* empty: the table itself */
    struct aws_options aws;
    struct scan_pace pace;
    uint32_t segments; /* 0: from the table's size */
    bool scatter;      /* each reader reads from SCAN_SCATTER places of the table at once */
    unsigned workers;  /* 0 counts as 1 */
    bool strong, gzip;
    bool ask_ttl;       /* ask the service for the TTL attribute */
    int64_t give_up_us; /* without a request that succeeded */
    int64_t max_age_us; /* of a run that is resumed; 0: any */
    int64_t now_us;     /* the age is counted to this time; 0: the clock */
    int64_t watch_us;   /* how often the table is looked at */
    /* The table cannot be asked what it is, for the time being. May be NULL. */
    void (*trouble)(const struct err *err, int64_t left_us);
    const struct env *env;
    const struct vars *vars;
};

/*
 * Asks for the table and makes the plan of the scan; nothing is read yet. *out is owned by the
 * caller. RC_USAGE: no such table or index, no region ...; RC_AUTH; or the service is not there.
 */
enum rc scan_open(const struct scan_options *opts, struct source **out,
                  struct err *err) MUST_CHECK;

/* True if the source is one of these: then the functions below apply. */
bool scan_is(const struct source *s);

/*
 * thread: main, before the readers. Members for every Scan request: `projection` and `filter`
 * are expressions, `names` and `values` the JSON objects of what they mention. Empty: none.
 */
struct scan_pushdown {
    struct str projection, filter, names, values;
};
enum rc scan_pushdown(struct source *base, const struct scan_pushdown *push,
                      struct err *err) MUST_CHECK;

/* What the service said of the table, and the plan made from it. Valid while the source is. */
struct scan_facts {
    const struct dynamodb_table *table;
    const struct dynamodb_index *index; /* NULL: the table itself */
    int64_t items, bytes;               /* of what will be scanned */
    double units;                       /* the scan will consume about so many */
    int64_t start_rate, max_rate;       /* units a second at first, and at most */
    bool strong;
    const char *ttl_trouble; /* why the TTL attribute is not known; "" if it is */
    const char *region;
};
struct scan_facts scan_facts(const struct source *base);

/* thread: main, before the readers. `look` is called with every later look at the table, for its
 * capacity may have changed. */
void scan_on_look(struct source *base,
                  void (*look)(void *ctx, const struct dynamodb_table *now), void *ctx);

/* For those who also write to the table: the client and the read budget of the scan, and the
 * event loop of one of its readers. Borrowed. */
struct dynamodb *scan_ddb(struct source *base);
struct budget *scan_budget(struct source *base);
struct http_loop *scan_reader_loop(struct reader *r);

/* thread: main. How many readers there should be, so that each has as many segments at once as a
 * scattered scan wants, as long as there are any. */
uint32_t scan_workers(const struct source *base);

/* Is this segment's next page late, for the service throttles this range of keys? */
bool scan_reader_late(struct reader *r, uint32_t segment);

#endif
