/* SPDX-License-Identifier: MIT */
/*
 * A small DynamoDB client. `struct ddb` is shared by all workers: endpoint, signer, clock
 * skew, retry quota. A blocking call repeats itself; a request started on a worker's loop is
 * one attempt, and its owner repeats it at the time ddb_finish answers.
 */
#ifndef AWS_DDB_H
#define AWS_DDB_H

#include "pipeline/aws/retry.h"
#include "pipeline/aws/signer.h"

struct ddb_config {
    const struct aws_settings *settings; /* borrowed */
    struct creds_provider *provider;     /* borrowed: a cache */
    const struct retry_policy *policy;   /* NULL: retry_dynamodb */
    bool gzip;                           /* ask for compressed answers */
    /* A blocking call fails and will be repeated, for so long at most. NULL: nobody is told. */
    void (*trouble)(const struct err *err, int64_t left_us);
};

struct ddb {
    const struct env *env;
    const struct aws_settings *settings;
    struct creds_provider *provider;
    struct endpoint endpoint;
    struct http_config http;
    struct signer signer;
    struct skew *skew; /* the settings' */
    struct retry retry;
    bool gzip;
    void (*trouble)(const struct err *err, int64_t left_us);
};

enum rc ddb_init(struct ddb *d, const struct ddb_config *config, struct err *err) MUST_CHECK;
void ddb_release(struct ddb *d);

/* One operation in flight, over its attempts; kept and reused by its owner. */
struct ddb_request {
    const char *op;        /* "Scan"; static text */
    struct buf send;       /* the request's JSON: filled by the owner, kept over the attempts */
    struct http_call http; /* after success http.body is the answer's JSON */
    const char *needs;     /* a member that every real answer has; NULL: not known of any */
    struct aws_failure failure; /* of the last attempt; class AWS_OK after success */
    struct retry_op retry;
    void (*done)(struct ddb_request *r, void *ctx); /* from http_poll: call ddb_finish */
    void *ctx;

    struct signature signature;
    struct http_header headers[8];
    char target[96];
    int64_t skew_us; /* signed with */
};

void ddb_request_init(struct ddb_request *r);
void ddb_request_release(struct ddb_request *r);

/* thread: the loop's. Signs and starts one attempt. op, send, done and ctx are set. */
enum rc ddb_start(struct ddb *d, struct http_loop *loop, struct ddb_request *r,
                  struct err *err) MUST_CHECK;

/*
 * thread: the loop's. Judges an attempt that is done. RC_OK: http.body is the answer.
 * RC_AGAIN: start it again at monotonic time *at_us (failure says why). RC_DATA: a
 * conditional write was refused, http.body is the error. Else: failed for good.
 */
enum rc ddb_finish(struct ddb *d, struct ddb_request *r, int64_t *at_us,
                   struct err *err) MUST_CHECK;

/*
 * thread: the loop's. What is in err spoilt an attempt, or its answer (then maybe_done), as if
 * the service had failed: the same retries, the same quota. RC_AGAIN, as from ddb_finish, if
 * it is of the kind that heals.
 */
enum rc ddb_failed(struct ddb *d, struct ddb_request *r, bool maybe_done, int64_t *at_us,
                   struct err *err) MUST_CHECK;

/* thread: any. Blocks, until the settings' `stop` at most, repeats, and appends the answer's JSON to `answer`. `needs` is as above. */
enum rc ddb_call(struct ddb *d, const char *op, const char *needs, struct str json,
                 struct buf *answer, struct err *err) MUST_CHECK;

#endif
