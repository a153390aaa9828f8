/* SPDX-License-Identifier: MIT */
/*
 * HTTP/1.1 on libcurl's multi interface. One loop per worker; several calls in flight on it;
 * connections are kept and reused. TLS is always verified, redirects are never followed,
 * proxies come from the usual variables. A call owns its response buffers and is reused from
 * request to request, so that a page is received into memory that is already there.
 */
#ifndef AWS_HTTP_HTTP_H
#define AWS_HTTP_HTTP_H

#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>

#include "pipeline/base/buf.h"
#include "pipeline/base/env.h"

struct http_config {
    const struct env *env;   /* borrowed; the clock of the time-outs below */
    const char *ca_bundle;   /* borrowed; NULL: the system's */
    const char *user_agent;  /* borrowed; NULL: "renorm" */
    int64_t connect_ms;      /* name, TCP and TLS; 0: 5,000 */
    int64_t first_byte_ms;   /* from the connection to the first header; 0: 30,000 */
    int64_t stall_ms;        /* between two reads of one answer; 0: 30,000 */
    size_t max_body;         /* received and inflated; 0: 64 MB */
    const char *http_proxy;  /* borrowed; for http:// alone; NULL: what libcurl finds */
    bool no_proxy;           /* for link-local addresses */
    const atomic_bool *stop; /* borrowed; set: what blocks ends soon. NULL: nobody can */
};

struct http_header {
    struct str name, value;
};

/* What became of a call. */
enum http_result {
    HTTP_DONE,         /* an answer with a status is there */
    HTTP_NOT_SENT,     /* no connection: the server saw nothing */
    HTTP_TIMEOUT,      /* connect, first byte or stall */
    HTTP_BROKEN,       /* reset or cut in mid-flight: the server may have acted */
    HTTP_BAD_CHECKSUM, /* x-amz-crc32 does not fit the bytes */
    HTTP_BAD_GZIP,
    HTTP_TOO_BIG,
    HTTP_TLS,      /* certificate or handshake: will not heal by itself */
    HTTP_BAD_URL,  /* malformed, or a scheme other than http and https */
    HTTP_CANCELED, /* by http_cancel or http_loop_free */
};

struct http_loop;
struct http_private;

struct http_call {
    /* Set by the caller before http_start. Borrowed until the call is done. */
    const char *method;
    const char *url;
    const struct http_header *headers;
    size_t n_headers;
    struct str send;                                 /* the request's body */
    void (*done)(struct http_call *call, void *ctx); /* runs inside http_poll */
    void *ctx;
    /*
     * Not NULL: the body of a 2xx answer goes here as it comes, as it is on the wire, and not to
     * `body`. True: taken. False: not now, the transfer stands still until http_go_on_with, and
     * the same bytes come again. May call http_refuse. For every other answer `body` has it.
     */
    bool (*receive)(struct http_call *call, const char *p, size_t n, void *ctx);
    bool accept_gzip;

    /* Set when done. Valid until the next http_start of this call. */
    enum http_result result;
    long status;                  /* 0 unless HTTP_DONE */
    struct buf body;              /* plain, whatever the transfer encoding was */
    struct buf head;              /* the header lines, as received */
    int64_t sent_us, received_us; /* wall clock, for the clock's skew */
    char detail[160];             /* what libcurl says of a failure */

    struct http_private *own;
};

/* For the whole process, before the first thread. */
enum rc http_global_init(struct err *err) MUST_CHECK;
void http_global_release(void);

enum rc http_loop_new(struct http_loop **out, const struct http_config *config,
                      struct err *err) MUST_CHECK;

/* Calls in flight end as HTTP_CANCELED, without their callback. */
void http_loop_free(struct http_loop *loop);

void http_call_init(struct http_call *call);
void http_call_release(struct http_call *call);

/* thread: the loop's. The callback runs later, from http_poll, never from here. */
enum rc http_start(struct http_loop *loop, struct http_call *call, struct err *err) MUST_CHECK;

/* thread: the loop's. Ends a call in flight without its callback; else does nothing. */
void http_cancel(struct http_loop *loop, struct http_call *call);

/*
 * thread: the loop's. Waits until something happens on a call, on one of `extra` (revents is
 * set), by http_wakeup, or until timeout_ms have passed (0: does not wait); then moves all
 * calls on and runs the callbacks of those that ended. A callback may start calls.
 */
enum rc http_poll(struct http_loop *loop, struct pollfd *extra, size_t n_extra,
                  int64_t timeout_ms, struct err *err) MUST_CHECK;
enum { HTTP_EXTRA_MAX = 16 };

/* thread: any. Makes the http_poll under way, or the next one, return. */
void http_wakeup(struct http_loop *loop);

/* thread: the loop's. Lets a transfer that `receive` has stopped go on; may call `receive`. */
void http_go_on_with(struct http_call *call);

/* From `receive`: these bytes are not what was asked for; the call ends as HTTP_BROKEN. */
void http_refuse(struct http_call *call, const char *why);

/* Calls in flight. */
size_t http_pending(const struct http_loop *loop);

/* The value of a header of the answer, trimmed; n is 0 when absent. Borrowed from head. */
struct str http_header(const struct http_call *call, const char *name);

/* RC_CANCEL if the operator wants an end. */
enum rc http_go_on(const struct http_config *config, struct err *err) MUST_CHECK;

/* thread: the loop's. Blocks until no call is in flight, or RC_CANCEL. */
enum rc http_finish(struct http_loop *loop, struct err *err) MUST_CHECK;

/* Sleeps until monotonic time `at_us` by the config's clock, or RC_CANCEL. */
enum rc http_rest(const struct http_config *config, int64_t at_us, struct err *err) MUST_CHECK;

/* Blocks until the call (its request fields set) is done. For credentials and metadata. */
enum rc http_fetch(const struct http_config *config, struct http_call *call,
                   struct err *err) MUST_CHECK;

/* "HOST" or "HOST:PORT" as libcurl sends it, "/path" and query, as views into url. */
struct http_url {
    struct str scheme, host, path, query;
};
bool http_url_split(struct str url, struct http_url *out);

#endif
