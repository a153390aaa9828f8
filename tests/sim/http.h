/* SPDX-License-Identifier: MIT */
/* HTTP/1.1 requests with a Content-Length, read from bytes that may still be incomplete. */
#ifndef SIM_HTTP_H
#define SIM_HTTP_H

#include <stdint.h>

#include "pipeline/base/str.h"

#define HTTP_MAX_HEADERS 64
#define HTTP_MAX_BODY    (16u << 20)
#define HTTP_MAX_HEAD    65536

struct http_header {
    struct str name, value;
};

/* All views point into the bytes that were parsed. */
struct http_request {
    struct str method, path, query, body;
    struct http_header headers[HTTP_MAX_HEADERS];
    size_t nheaders;
    size_t total;       /* bytes of the whole request */
    int64_t arrival_us; /* monotonic; filled by the connection */
};

enum http_state { HTTP_MORE, HTTP_DONE, HTTP_BAD, HTTP_TOO_LARGE };

enum http_state http_parse(struct str in, struct http_request *req);

/* Any case of letters; the empty view if absent. `nth` counts repeated headers from 0. */
struct str http_header(const struct http_request *req, const char *name, size_t nth);

const char *http_reason(int status);

#endif
