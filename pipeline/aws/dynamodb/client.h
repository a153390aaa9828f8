/* SPDX-License-Identifier: MIT */
/*
 * A small DynamoDB client. `struct dynamodb` is shared by all workers: endpoint, signer, clock
 * skew, retry quota. A blocking call repeats itself; a request started on a worker's loop is
 * one attempt, and its owner repeats it at the time dynamodb_finish answers.
 */
#ifndef AWS_DYNAMODB_CLIENT_H
#define AWS_DYNAMODB_CLIENT_H

#include "pipeline/aws/dynamodb/retry.h"
#include "pipeline/aws/sign/signer.h"

struct dynamodb_config {
    const struct aws_settings *settings; /* borrowed */
    struct creds_provider *provider;     /* borrowed: a cache */
    const struct retry_policy *policy;   /* NULL: retry_dynamodb */
    bool gzip;                           /* ask for compressed answers */
    /* A blocking call fails and will be repeated, for so long at most. NULL: nobody is told. */
    void (*trouble)(const struct err *err, int64_t left_us);
};

struct dynamodb {
    const struct env *env;
    const struct aws_settings *settings;
    struct creds_provider *provider;
    struct endpoint endpoint;
    struct http_config http;
    struct signer signer;
    struct clock_skew *skew; /* the settings' */
    struct retry retry;
    bool gzip;
    void (*trouble)(const struct err *err, int64_t left_us);
};

enum rc dynamodb_init(struct dynamodb *d, const struct dynamodb_config *config,
                      struct err *err) MUST_CHECK;
void dynamodb_release(struct dynamodb *d);

/* One operation in flight, over its attempts; kept and reused by its owner. */
struct dynamodb_request {
    const char *op;        /* "Scan"; static text */
    struct buf send;       /* the request's JSON: filled by the owner, kept over the attempts */
    struct http_call http; /* after success http.body is the answer's JSON */
    const char *needs;     /* a member that every real answer has; NULL: not known of any */
    struct aws_failure failure; /* of the last attempt; class AWS_OK after success */
    struct retry_op retry;
    void (*done)(struct dynamodb_request *r,
                 void *ctx); /* from http_poll: call dynamodb_finish */
    void *ctx;

    struct signature signature;
    struct http_header headers[8];
    char target[96];
    int64_t skew_us; /* signed with */
};

void dynamodb_request_init(struct dynamodb_request *r);
void dynamodb_request_release(struct dynamodb_request *r);

/* thread: the loop's. Signs and starts one attempt. op, send, done and ctx are set. */
enum rc dynamodb_start(struct dynamodb *d, struct http_loop *loop, struct dynamodb_request *r,
                       struct err *err) MUST_CHECK;

/*
 * thread: the loop's. Judges an attempt that is done. RC_OK: http.body is the answer.
 * RC_AGAIN: start it again at monotonic time *at_us (failure says why). RC_DATA: a
 * conditional write was refused, http.body is the error. Else: failed for good.
 */
enum rc dynamodb_finish(struct dynamodb *d, struct dynamodb_request *r, int64_t *at_us,
                        struct err *err) MUST_CHECK;

/*
 * thread: the loop's. What is in err spoilt an attempt, or its answer (then maybe_done), as if
 * the service had failed: the same retries, the same quota. RC_AGAIN, as from dynamodb_finish, if
 * it is of the kind that heals.
 */
enum rc dynamodb_failed(struct dynamodb *d, struct dynamodb_request *r, bool maybe_done,
                        int64_t *at_us, struct err *err) MUST_CHECK;

/* thread: any. Blocks, until the settings' `stop` at most, repeats, and appends the answer's JSON to `answer`. `needs` is as above. */
enum rc dynamodb_call(struct dynamodb *d, const char *op, const char *needs, struct str json,
                      struct buf *answer, struct err *err) MUST_CHECK;

#endif
