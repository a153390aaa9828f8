/* SPDX-License-Identifier: MIT */
/* What the files of the http module share; nobody else includes it. */
#ifndef AWS_HTTP_HTTP_PRIVATE_H
#define AWS_HTTP_HTTP_PRIVATE_H

#include <curl/curl.h>

#include "pipeline/aws/http/http.h"

enum http_phase { PHASE_CONNECT, PHASE_WAIT, PHASE_READ, PHASE_PAUSED };

struct http_private {
    CURL *easy;
    struct curl_slist *lines;
    struct http_loop *loop; /* while in flight */
    struct http_call *prev, *next;
    struct buf wire; /* the compressed bytes, while they are inflated */
    size_t sent;     /* bytes of the body handed to libcurl */
    uint32_t crc;    /* of the bytes as received */
    enum http_phase phase;
    int64_t touched_us; /* monotonic: when this phase began, or the last read */
    const struct env *env;
    struct http_config config; /* the options of easy are made for this */
    bool configured, with_body;
    bool streamed, refused; /* the body goes to `receive`; `receive` wants no more of it */
    char error[CURL_ERROR_SIZE];
};

/* Makes the handle ready to send the call. False: out of memory. */
bool http_request_set(struct http_call *call, const struct http_config *config);

/* libcurl's callbacks; ctx is the call. */
size_t http_answer_body(char *p, size_t size, size_t n, void *ctx);
size_t http_answer_header(char *p, size_t size, size_t n, void *ctx);
size_t http_answer_send(char *p, size_t size, size_t n, void *ctx);
int http_answer_seek(void *ctx, curl_off_t offset, int origin);
int http_answer_connected(void *ctx, char *ip, char *local_ip, int port, int local_port);

/* Empties the answer before a new request. */
void http_answer_clear(struct http_call *call, size_t max_body);

/* Turns libcurl's result into the call's: checksum, inflation, status, detail. */
void http_answer_finish(struct http_call *call, CURLcode code);

#endif
