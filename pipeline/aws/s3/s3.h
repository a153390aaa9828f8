/* SPDX-License-Identifier: MIT */
/*
 * A small client of one bucket in S3. `struct s3` is shared by all workers: where the bucket
 * is, signers, retry quota. A request is one attempt on its owner's loop; its owner repeats it at
 * the time s3_finish answers. A bucket in another region is found by what the service says, and
 * the request is signed anew for that region: credentials go to the host of the bucket's region,
 * or to the endpoint that the operator gave, and nowhere else.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html
 */
#ifndef AWS_S3_S3_H
#define AWS_S3_S3_H

#include "pipeline/aws/dynamodb/retry.h"
#include "pipeline/aws/s3/s3_address.h"
#include "pipeline/aws/sign/signer.h"

enum { S3_SITES = 4 };

struct s3_config {
    const struct aws_settings *settings; /* borrowed */
    struct creds_provider *provider;     /* borrowed: a cache */
    const struct retry_policy *policy;   /* NULL: retry_dynamodb */
    struct str bucket;                   /* borrowed */
    const char *endpoint;                /* borrowed; NULL: by variables, profile, region */
    enum s3_style style;
    bool requester_pays;
    const char *owner; /* borrowed; the account that must own the bucket; NULL: any */
    /* What blocks fails and will be repeated, for so long at most. NULL: nobody is told. */
    void (*trouble)(const struct err *err, int64_t left_us);
};

/* Where the bucket is, as far as one has been told. Does not change once it is there. */
struct s3_site {
    char region[64];
    struct buf base; /* the address up to the key: scheme, host, bucket in path style */
    struct signer signer;
};

struct s3 {
    struct s3_config config;
    const struct env *env;
    struct http_config http;
    struct clock_skew *skew; /* the settings' */
    struct retry retry;
    bool custom; /* the host was given, and is the only one */
    pthread_mutex_t mu;
    struct s3_site sites[S3_SITES]; /* lock: mu, to add one */
    unsigned n_sites, site;         /* lock: mu. `site` is where requests go now */
};

enum rc s3_init(struct s3 *s, const struct s3_config *config, struct err *err) MUST_CHECK;
void s3_release(struct s3 *s);

/* One request, over its attempts; kept and reused by its owner. */
struct s3_request {
    /* Set by the owner before s3_start; borrowed until it has ended. */
    const char *op, *method; /* "GetObject", "GET" */
    struct str key;          /* empty: the bucket itself */
    struct str query;        /* as on the wire */
    uint64_t from, to;       /* the bytes to get; to is 0: all */
    struct str etag;         /* without quotes; not empty: no other version will do */
    /* See struct http_call. NULL: the answer is in http.body. */
    bool (*receive)(struct s3_request *r, const char *p, size_t n, void *ctx);
    /* Reads a body that came whole. False: it is not what was asked for. NULL: none is read. */
    bool (*read)(struct s3_request *r, struct str body, void *ctx);
    void (*done)(struct s3_request *r, void *ctx); /* from http_poll: call s3_finish */
    void *ctx;

    struct http_call http;
    struct aws_failure failure; /* of the last attempt; class AWS_OK after success */
    struct retry_op retry;
    struct signature signature;
    struct http_header headers[10];
    char range[64];
    struct buf url, match;
    unsigned site, moves; /* where it was sent; how often it was sent on */
    int64_t skew_us;
};

void s3_request_init(struct s3_request *r);
void s3_request_release(struct s3_request *r);

/* thread: the loop's. Signs and starts one attempt. */
enum rc s3_start(struct s3 *s, struct http_loop *loop, struct s3_request *r,
                 struct err *err) MUST_CHECK;

/*
 * thread: the loop's. Judges an attempt that is done. RC_AGAIN: start it again at monotonic
 * time *at_us. RC_NONE: there is no such object (err is set). Else: failed for good; RC_SOURCE
 * or RC_AUTH where the service has refused.
 */
enum rc s3_finish(struct s3 *s, struct s3_request *r, int64_t *at_us,
                  struct err *err) MUST_CHECK;

/* thread: the loop's, with nothing else in flight on it. Blocks, and repeats. As s3_finish. */
enum rc s3_call(struct s3 *s, struct http_loop *loop, struct s3_request *r,
                struct err *err) MUST_CHECK;

/*
 * An attempt has failed and is repeated, since the monotonic time since_us: tells of it once it has
 * lasted; the first failures mostly heal at once. True: told.
 */
bool s3_tell(struct s3 *s, const struct s3_request *r, int64_t since_us);

/* s3_site.c. lock: s->mu. Adds, or finds, the site of a region, and makes it the one in use. */
enum rc s3_site_use(struct s3 *s, const char *region, struct err *err) MUST_CHECK;

/* s3_move.c. The failure may say that the bucket is elsewhere. RC_OK: repeat there. RC_NONE: it
 * does not say so. Else: it may not be followed. */
enum rc s3_move(struct s3 *s, struct s3_request *r, struct err *err) MUST_CHECK;

#endif
