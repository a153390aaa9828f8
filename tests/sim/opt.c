/* SPDX-License-Identifier: MIT */
/* One table: name, kind, place, help. Values come as `--name value` or `--name=value`. */
#include "tests/sim/opt.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { FLAG, WHOLE, REAL, TEXT, LIST };

static const struct row {
    const char *name;
    enum kind kind;
    size_t offset;
    const char *help;
} rows[] = {
    {"port", WHOLE, offsetof(struct opt, port), "port on 127.0.0.1; 0 = any free one"},
    {"port-file", TEXT, offsetof(struct opt, port_file), "write the port here when ready"},
    {"tls", TEXT, offsetof(struct opt, tls_cert), "serve TLS with this certificate (PEM)"},
    {"tls-key", TEXT, offsetof(struct opt, tls_key), "and this key (PEM)"},
    {"table", TEXT, offsetof(struct opt, table), "the table's name (shop)"},
    {"region", TEXT, offsetof(struct opt, region), "region in the table's ARN (us-east-1)"},
    {"key", TEXT, offsetof(struct opt, key),
     "PK[:TYPE][,SK[:TYPE]] (PK,SK); types from the items"},
    {"items", TEXT, offsetof(struct opt, items), "JSON lines of DynamoDB-JSON items"},
    {"generate", WHOLE, offsetof(struct opt, generate), "make N items: customers and orders"},
    {"item-bytes", WHOLE, offsetof(struct opt, item_bytes), "make items of this size instead"},
    {"seed", WHOLE, offsetof(struct opt, seed), "seed of made items"},
    {"page-bytes", WHOLE, offsetof(struct opt, page_bytes), "item bytes of a Scan page (1 MB)"},
    {"page-over", FLAG, offsetof(struct opt, page_over),
     "a page includes the item that crosses it"},
    {"partitions", WHOLE, offsetof(struct opt, partitions), "partitions with buckets (8)"},
    {"partition-rcu", REAL, offsetof(struct opt, partition_rcu), "RCU/s of each; 0 = no limit"},
    {"partition-wcu", REAL, offsetof(struct opt, partition_wcu), "WCU/s of each; 0 = no limit"},
    {"index-partition-wcu", REAL, offsetof(struct opt, index_partition_wcu),
     "WCU/s of each partition key of an index; 0 = no limit"},
    {"burst", REAL, offsetof(struct opt, burst), "seconds a bucket holds (1)"},
    {"rcu", REAL, offsetof(struct opt, rcu), "ReadCapacityUnits told by DescribeTable (1000)"},
    {"wcu", REAL, offsetof(struct opt, wcu), "WriteCapacityUnits told by DescribeTable (1000)"},
    {"enforce", FLAG, offsetof(struct opt, enforce), "throttle the table by --rcu and --wcu"},
    {"on-demand", FLAG, offsetof(struct opt, on_demand), "PAY_PER_REQUEST"},
    {"warm-rcu", REAL, offsetof(struct opt, warm_rcu), "WarmThroughput reads (12000)"},
    {"warm-wcu", REAL, offsetof(struct opt, warm_wcu), "WarmThroughput writes (4000)"},
    {"report-bytes", WHOLE, offsetof(struct opt, report_bytes), "TableSizeBytes to tell"},
    {"report-items", WHOLE, offsetof(struct opt, report_items), "ItemCount to tell"},
    {"ttl", TEXT, offsetof(struct opt, ttl), "TTL attribute; none = disabled"},
    {"pitr", FLAG, offsetof(struct opt, pitr), "point-in-time recovery is on"},
    {"describe", TEXT, offsetof(struct opt, describe), "JSON members put into DescribeTable"},
    {"latency-ms", WHOLE, offsetof(struct opt, latency_ms), "every answer waits so long"},
    {"gzip", FLAG, offsetof(struct opt, gzip), "compress big answers if the client accepts it"},
    {"skew", WHOLE, offsetof(struct opt, skew), "seconds this server's clock is ahead"},
    {"tolerance", WHOLE, offsetof(struct opt, tolerance), "seconds a date may be off (300)"},
    {"credentials", LIST, offsetof(struct opt, credentials),
     "ID:SECRET[:TOKEN]; may be repeated"},
    {"no-auth", FLAG, offsetof(struct opt, no_auth), "do not verify signatures"},
    {"fault", LIST, offsetof(struct opt, faults), "rules: JSON or a file; may be repeated"},
    {"no-failed-item", FLAG, offsetof(struct opt, no_failed_item),
     "a failed condition never answers the item"},
    {"books", TEXT, offsetof(struct opt, books), "log every request here"},
    {"capture", TEXT, offsetof(struct opt, capture), "write the bodies of item requests here"},
    {"s3", TEXT, offsetof(struct opt, s3), "the folder whose folders are buckets for reading"},
    {"s3-region", TEXT, offsetof(struct opt, s3_region), "where they are; else anywhere"},
    {"s3-owner", TEXT, offsetof(struct opt, s3_owner), "the account they belong to"},
    {"s3-payer", FLAG, offsetof(struct opt, s3_payer), "the requester pays"},
    {"s3-page", WHOLE, offsetof(struct opt, s3_page), "keys on a page of a listing (1000)"},
    {"bandwidth", WHOLE, offsetof(struct opt, bandwidth),
     "bytes a second of each connection, for objects"},
    {"canned", FLAG, offsetof(struct opt, canned), "Scan from pre-rendered pages"},
    {"canned-items", WHOLE, offsetof(struct opt, canned_items), "items in all (those made)"},
    {"canned-pages", WHOLE, offsetof(struct opt, canned_pages), "different pages at most (32)"},
    {"dump", TEXT, offsetof(struct opt, dump), "write the items as JSON lines and end"},
    {"check-books", TEXT, offsetof(struct opt, check_books),
     "check books against --rate and end"},
    {"rate", REAL, offsetof(struct opt, rate), "allowed units per second"},
    {"page-units", REAL, offsetof(struct opt, page_units),
     "units of one page (the largest seen)"},
    {"slack", REAL, offsetof(struct opt, slack), "seconds added to each window (0)"},
    {"check-op", TEXT, offsetof(struct opt, check_op), "look at this operation only"},
    {"help", FLAG, offsetof(struct opt, help), "this text"},
};

void opt_help(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        (void)printf("  --%-14s %s\n", rows[i].name, rows[i].help);
}

static const struct row *find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (strlen(rows[i].name) == n && memcmp(rows[i].name, name, n) == 0)
            return &rows[i];
    }
    return NULL;
}

static bool set(struct opt *o, const struct row *row, const char *value)
{
    void *at = (char *)o + row->offset;
    char *end = NULL;
    struct opt_list *list;
    switch (row->kind) {
    case FLAG:
        *(bool *)at = true;
        return true;
    case WHOLE:
        *(int64_t *)at = strtoll(value, &end, 10);
        return *value && *end == '\0';
    case REAL:
        *(double *)at = strtod(value, &end);
        return *value && *end == '\0';
    case TEXT:
        *(const char **)at = value;
        return true;
    case LIST:
        list = at;
        if (list->n == OPT_MANY)
            return false;
        list->text[list->n++] = value;
        return true;
    }
    return false;
}

static void defaults(struct opt *o)
{
    *o = (struct opt){.table = "shop",
                      .region = "us-east-1",
                      .key = "PK,SK",
                      .page_bytes = 1 << 20,
                      .partitions = 8,
                      .burst = 1,
                      .rcu = 1000,
                      .wcu = 1000,
                      .warm_rcu = 12000,
                      .warm_wcu = 4000,
                      .report_bytes = -1,
                      .report_items = -1,
                      .tolerance = 300,
                      .canned_pages = 32};
}

static enum rc check(const struct opt *o, struct err *err)
{
    if (o->help || o->check_books || o->dump)
        return RC_OK;
    if (!o->no_auth && o->credentials.n == 0)
        return err_set(err, RC_USAGE, "no --credentials given\nhint: or say --no-auth");
    if (!o->tls_cert != !o->tls_key)
        return err_set(err, RC_USAGE, "--tls and --tls-key go together");
    if (o->partitions < 1 || o->page_bytes < 1 || o->canned_pages < 1)
        return err_set(err, RC_USAGE, "partitions, page and pool sizes must be 1 or more");
    return RC_OK;
}

enum rc opt_parse(struct opt *o, int argc, char *const *argv, struct err *err)
{
    defaults(o);
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + 2;
        if (strncmp(argv[i], "--", 2) != 0)
            return err_set(err, RC_USAGE, "unexpected argument \"%s\"", argv[i]);
        const char *equals = strchr(name, '=');
        const struct row *row = find(name, equals ? (size_t)(equals - name) : strlen(name));
        if (!row)
            return err_set(err, RC_USAGE, "unknown option \"%s\"", argv[i]);
        const char *value = equals ? equals + 1 : NULL;
        if (row->kind != FLAG && !value) {
            if (++i == argc)
                return err_set(err, RC_USAGE, "option --%s needs a value", row->name);
            value = argv[i];
        }
        if (!set(o, row, value ? value : ""))
            return err_set(err, RC_USAGE, "bad value of --%s: \"%s\"", row->name, value);
    }
    return check(o, err);
}
