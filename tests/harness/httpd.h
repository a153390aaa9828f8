/* SPDX-License-Identifier: MIT */
/*
 * A small HTTP/1.1 server on loopback for tests, in a thread of its own: it hands every whole
 * request to a handler and sends what the handler says, byte for byte. It can also hang, cut
 * or reset, so that each fault is a few lines of test.
 */
#ifndef HARNESS_HTTPD_H
#define HARNESS_HTTPD_H

#include "pipeline/base/buf.h"

enum httpd_then {
    HTTPD_KEEP,  /* wait for the next request */
    HTTPD_CLOSE, /* close in good order */
    HTTPD_RESET, /* close with a reset */
    HTTPD_HANG,  /* nothing more, until the other side closes */
};

struct httpd_request {
    struct str method, target, head, body; /* valid inside the handler */
    int number;                            /* of the request, from 0 */
    int connection;                        /* of the connection, from 0 */
};

struct httpd_reply {
    struct buf bytes;
    enum httpd_then then;
};

/* thread: the server's. The server's lock is held: what the handler writes may be read after
 * a call of httpd_requests. */
typedef void httpd_handler(const struct httpd_request *request, struct httpd_reply *reply,
                           void *ctx);

struct httpd;

/* Makes HTTP ready: the set-up of a group of tests. */
int httpd_group(void **state);

/* NULL when no port could be had. */
struct httpd *httpd_new(httpd_handler *handler, void *ctx);
void httpd_free(struct httpd *h);

/* "http://127.0.0.1:PORT", without a slash at the end. */
const char *httpd_url(const struct httpd *h);

/* thread: any. Requests received so far. */
int httpd_requests(struct httpd *h);
int httpd_connections(struct httpd *h);

/* Appends a whole answer with its length; `headers` are lines that end in \r\n. */
void httpd_answer(struct httpd_reply *reply, int status, const char *headers, struct str body);

/* The value of a request header; n = 0: absent. */
struct str httpd_header(const struct httpd_request *request, const char *name);

#endif
