/* SPDX-License-Identifier: MIT */
/*
 * What a loop waits for: libcurl's sockets and timer, the caller's descriptors, a wake-up. Only
 * sockets on which something happened are handed to libcurl; curl_multi_perform would ask the
 * system about every call in flight each time. Private to the http module.
 */
#ifndef AWS_HTTP_WAIT_H
#define AWS_HTTP_WAIT_H

#include <curl/curl.h>
#include <poll.h>

#include "pipeline/aws/http/http.h"

struct http_wait {
    CURLM *multi;       /* borrowed */
    int wake;           /* an eventfd */
    int64_t due_us;     /* when libcurl wants to be called; INT64_MAX: never */
    struct pollfd *fds; /* the wake-up, room for the caller's, then libcurl's */
    size_t n, cap;
    struct http_event {
        curl_socket_t fd;
        int mask;
    } * ready;          /* as long as fds: what to tell libcurl after a wait */
    bool out_of_memory; /* a callback was; with any of these two the loop has failed for good */
    CURLMcode code;     /* what libcurl said last */
};

enum rc http_wait_init(struct http_wait *w, CURLM *multi, struct err *err) MUST_CHECK;
void http_wait_release(struct http_wait *w);

/* Waits as http_poll does and lets libcurl move its calls on. */
enum rc http_wait_run(struct http_wait *w, struct pollfd *extra, size_t n_extra,
                      int64_t timeout_ms, struct err *err) MUST_CHECK;

/* thread: any. */
void http_wait_wake(const struct http_wait *w);

#endif
