/* SPDX-License-Identifier: MIT */
/*
 * What DescribeTable and DescribeTimeToLive say of a table. Texts live in the arena that is
 * handed in; members that the answer lacks are empty, or -1 where zero has a meaning.
 */
#ifndef AWS_DYNAMODB_DESCRIBE_H
#define AWS_DYNAMODB_DESCRIBE_H

#include "pipeline/aws/dynamodb/client.h"
#include "pipeline/base/arena.h"

enum { DDB_KEYS_MAX = 8 };

struct dynamodb_key {
    struct str name;
    char type;  /* 'S', 'N', 'B'; '?' when the answer does not define it */
    bool range; /* else hash */
};

struct dynamodb_schema {
    struct dynamodb_key keys[DDB_KEYS_MAX]; /* hash keys first */
    size_t n;
};

enum dynamodb_projection { DDB_PROJECT_ALL, DDB_PROJECT_KEYS, DDB_PROJECT_INCLUDE };

/* Capacity: provisioned units (0: on demand), or the limits of an on-demand table. */
struct dynamodb_capacity {
    int64_t read, write;           /* provisioned units a second */
    int64_t max_read, max_write;   /* on demand: the maximum set; -1: none */
    int64_t warm_read, warm_write; /* warm throughput; -1: not said */
};

struct dynamodb_index {
    struct str name, status;
    bool global;
    struct dynamodb_schema schema;
    enum dynamodb_projection projection;
    struct str *attributes; /* of DDB_PROJECT_INCLUDE */
    size_t n_attributes;
    struct dynamodb_capacity capacity;
    int64_t items, bytes;
    bool backfilling;
};

struct dynamodb_table {
    struct str name, id, arn, status, class;
    struct dynamodb_schema schema;
    int64_t items, bytes; /* refreshed by the service about every six hours */
    int64_t created_us;   /* 0: not said */
    bool on_demand;
    struct dynamodb_capacity capacity;
    struct dynamodb_index *indexes;
    size_t n_indexes;
    bool stream;
    struct str *replicas; /* region names */
    size_t n_replicas;
};

/* Reads the answer of DescribeTable. */
enum rc dynamodb_table_read(struct dynamodb_table *t, struct str json, struct arena *arena,
                            struct err *err) MUST_CHECK;

/* Asks. A name or an ARN. */
enum rc dynamodb_table_describe(struct dynamodb *d, struct str table, struct arena *arena,
                                struct dynamodb_table *out, struct err *err) MUST_CHECK;

/* The TTL attribute's name, empty if there is none (or the server does not know the call). */
enum rc dynamodb_table_ttl(struct dynamodb *d, struct str table, struct arena *arena,
                           struct str *out, struct err *err) MUST_CHECK;

/* Whether point-in-time recovery is on; DDB_PITR_UNKNOWN where the identity may not ask, or the
 * server does not know the call. */
enum dynamodb_pitr { DDB_PITR_UNKNOWN = -1, DDB_PITR_OFF = 0, DDB_PITR_ON = 1 };
enum rc dynamodb_table_pitr(struct dynamodb *d, struct str table, enum dynamodb_pitr *out,
                            struct err *err) MUST_CHECK;

/* The index called `name`, or NULL. */
const struct dynamodb_index *dynamodb_table_index(const struct dynamodb_table *t,
                                                  struct str name);

#endif
