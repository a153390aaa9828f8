/* SPDX-License-Identifier: MIT */
/*
 * The state of the simulated service, and the way of a request through it: signature, fault
 * rule, operation, books. One thread does everything.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <stdint.h>

#include "tests/sim/aside.h"
#include "tests/sim/auth.h"
#include "tests/sim/books.h"
#include "tests/sim/canned.h"
#include "tests/sim/fault.h"
#include "tests/sim/http.h"
#include "tests/sim/opt.h"
#include "tests/sim/reply.h"
#include "tests/sim/table.h"

#define SIM_MAX_PARTITIONS 1024

/* Goes into debt: a page's cost is known only after it was read. */
struct sim_bucket {
    double read, write; /* units left */
    int64_t at_us;
};

struct sim_stats {
    uint64_t requests, ok, errors, throttled, faults, connections, bytes_out;
    uint64_t scans, gets, updates, describes, applied, conditions_failed;
    double read_units, write_units, index_units;
};

struct s3_file;

struct sim {
    struct opt opt;
    struct table table;
    struct canned canned;
    struct auth auth;
    struct fault_set faults;
    struct books books, capture;
    struct sim_stats stats;
    struct sim_bucket buckets[SIM_MAX_PARTITIONS];
    struct sim_bucket whole; /* of the table, with --enforce */
    struct sim_bucket index_buckets[SIM_MAX_PARTITIONS];
    int64_t skew_us;
    bool deleted;
    bool empty_page;      /* for the request at hand */
    struct aside aside;   /* the keys of empty pages */
    yyjson_doc *describe; /* --describe, parsed; NULL if not given */
    unsigned incarnation;
    uint64_t serial;
    int64_t now_us; /* monotonic, of the request at hand */
    char arn[256];
    struct s3_file *s3_files; /* of --s3, as far as they were asked for */
    bool s3_changed;          /* all objects have another ETag now */
    bool s3_no_ranges;        /* ranges are ignored now */
};

enum rc sim_init(struct sim *s, const struct opt *o, struct err *err) MUST_CHECK;
void sim_release(struct sim *s);

/* Sets the members put into DescribeTable; NULL = none. */
enum rc sim_describe(struct sim *s, const char *json, struct err *err) MUST_CHECK;

/* Server's wall clock, skewed as told. */
int64_t sim_wall_us(const struct sim *s);
int64_t sim_mono_us(void);

/* Answers a request. `r` is initialised; the head is left to the caller. */
void sim_handle(struct sim *s, const struct http_request *req, struct reply *r);

/* Negative values leave things as they are. */
void sim_resize(struct sim *s, double rcu, double wcu, double partition_rcu,
                double partition_wcu);

/* True if the partition of this hash, and the table, have units left; else `r` is a throttling error. */
bool sim_admit(struct sim *s, uint64_t hash, bool write, struct reply *r);

/* The same for the partitions of all indexes that a write touches, which it is charged for. */
bool sim_admit_indexes(struct sim *s, yyjson_val *before, yyjson_val *after, struct reply *r);

/* Takes units from partition and table and notes them in the reply and the statistics. */
void sim_charge(struct sim *s, uint64_t hash, bool write, double units, struct reply *r);

#endif
