/* SPDX-License-Identifier: MIT */
/* The command line. */
#ifndef SIM_OPT_H
#define SIM_OPT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipeline/base/err.h"

#define OPT_MANY 32

struct opt_list {
    const char *text[OPT_MANY];
    int n;
};

struct opt {
    int64_t port;
    const char *port_file, *tls_cert, *tls_key;
    const char *table, *key, *items, *ttl, *describe, *region;
    int64_t generate, item_bytes, seed;
    int64_t page_bytes, partitions;
    bool page_over, on_demand, enforce, pitr, gzip, no_auth, no_failed_item, canned, help;
    double rcu, wcu, partition_rcu, partition_wcu, index_partition_wcu, burst, warm_rcu,
        warm_wcu;
    int64_t report_bytes, report_items; /* -1: what is there */
    int64_t latency_ms, skew, tolerance;
    int64_t canned_items, canned_pages;
    const char *books, *capture, *dump, *check_books;
    const char *s3, *s3_region, *s3_owner;
    int64_t s3_page, bandwidth;
    bool s3_payer;
    double rate, slack, page_units;
    const char *check_op;
    struct opt_list faults, credentials;
};

/* Borrows argv. */
enum rc opt_parse(struct opt *o, int argc, char *const *argv, struct err *err) MUST_CHECK;

/* Prints all options. */
void opt_help(void);

#endif
