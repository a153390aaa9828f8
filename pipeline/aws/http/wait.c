/* SPDX-License-Identifier: MIT */
/*
 * libcurl tells by callbacks which sockets it wants watched and when its timer is due. The sockets
 * lie in one array for poll(); there are as many as calls in flight, so looking one up is cheap. A
 * removed one is replaced by the last. Events are copied before they are told: telling one may
 * change the array. https://curl.se/libcurl/c/curl_multi_socket_action.html
 */
#include "pipeline/aws/http/wait.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { WAKE = 0, EXTRA = 1, FIRST = EXTRA + HTTP_EXTRA_MAX, START_CAP = FIRST + 32 };

/* poll() waits by the machine's clock, whatever clock the time-outs of calls go by. */
static int64_t now_us(void)
{
    return env_real.mono_us(env_real.ctx);
}

static bool more_room(struct http_wait *w)
{
    size_t cap = w->cap ? w->cap * 2 : START_CAP;
    struct pollfd *fds = realloc(w->fds, cap * sizeof *fds);
    if (fds)
        w->fds = fds;
    struct http_event *ready = fds ? realloc(w->ready, cap * sizeof *ready) : NULL;
    if (!ready)
        return false;
    w->ready = ready;
    w->cap = cap;
    return true;
}

static size_t find(const struct http_wait *w, curl_socket_t fd)
{
    size_t at = FIRST;
    while (at < w->n && w->fds[at].fd != fd)
        at++;
    return at;
}

static int watch(CURL *easy, curl_socket_t fd, int what, void *ctx, void *unused)
{
    (void)easy, (void)unused;
    struct http_wait *w = ctx;
    size_t at = find(w, fd);
    if (what == CURL_POLL_REMOVE) {
        if (at < w->n)
            w->fds[at] = w->fds[--w->n];
        return 0;
    }
    if (at == w->cap && !more_room(w)) {
        w->out_of_memory = true;
        return -1;
    }
    int events = ((what & CURL_POLL_IN) ? POLLIN : 0) | ((what & CURL_POLL_OUT) ? POLLOUT : 0);
    w->fds[at] = (struct pollfd){.fd = fd, .events = (short)events};
    w->n = at == w->n ? at + 1 : w->n;
    return 0;
}

static int set_timer(CURLM *multi, long ms, void *ctx)
{
    (void)multi;
    struct http_wait *w = ctx;
    w->due_us = ms < 0 ? INT64_MAX : now_us() + (int64_t)ms * 1000;
    return 0;
}

enum rc http_wait_init(struct http_wait *w, CURLM *multi, struct err *err)
{
    *w = (struct http_wait){.multi = multi, .due_us = INT64_MAX, .n = FIRST};
    w->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (w->wake < 0)
        return err_errno(err, RC_NOMEM, errno, "cannot make an eventfd");
    if (!more_room(w)) {
        http_wait_release(w);
        return err_nomem(err);
    }
    w->fds[WAKE] = (struct pollfd){.fd = w->wake, .events = POLLIN};
    for (size_t i = EXTRA; i < FIRST; i++)
        w->fds[i] = (struct pollfd){.fd = -1};
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, w);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERDATA, w);
    return RC_OK;
}

void http_wait_release(struct http_wait *w)
{
    if (w->wake >= 0)
        (void)close(w->wake);
    free(w->fds);
    free(w->ready);
    *w = (struct http_wait){.wake = -1};
}

void http_wait_wake(const struct http_wait *w)
{
    uint64_t one = 1;
    /* the write fails only when the counter is full, and then the loop wakes up anyway */
    (void)!write(w->wake, &one, sizeof one);
}

static int shorter(const struct http_wait *w, int64_t timeout_ms)
{
    if (w->due_us != INT64_MAX) {
        int64_t us = w->due_us - now_us();
        int64_t ms = us <= 0 ? 0 : (us + 999) / 1000;
        timeout_ms = ms < timeout_ms ? ms : timeout_ms;
    }
    return timeout_ms > INT_MAX ? INT_MAX : timeout_ms < 0 ? 0 : (int)timeout_ms;
}

static int mask_of(short revents)
{
    return ((revents & (POLLIN | POLLHUP)) ? CURL_CSELECT_IN : 0) |
           ((revents & POLLOUT) ? CURL_CSELECT_OUT : 0) |
           ((revents & (POLLERR | POLLNVAL)) ? CURL_CSELECT_ERR : 0);
}

static size_t gather(struct http_wait *w)
{
    size_t n = 0;
    for (size_t i = FIRST; i < w->n; i++) {
        if (w->fds[i].revents)
            w->ready[n++] = (struct http_event){w->fds[i].fd, mask_of(w->fds[i].revents)};
    }
    return n;
}

static CURLMcode tell(struct http_wait *w, size_t n)
{
    CURLMcode code = CURLM_OK;
    int running;
    /* this runs the calls that were started and the time-outs that are due */
    if (w->due_us <= now_us()) {
        w->due_us = INT64_MAX;
        code = curl_multi_socket_action(w->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    for (size_t i = 0; i < n && code == CURLM_OK; i++) {
        struct http_event e = w->ready[i];
        code = curl_multi_socket_action(w->multi, e.fd, e.mask, &running);
    }
    return code;
}

/* libcurl without memory may have left anything half done: it is not called again. */
static enum rc failed(const struct http_wait *w, struct err *err)
{
    if (w->out_of_memory)
        return err_nomem(err);
    return w->code == CURLM_OK
               ? RC_OK
               : err_set(err, RC_NOMEM, "libcurl: %s", curl_multi_strerror(w->code));
}

enum rc http_wait_run(struct http_wait *w, struct pollfd *extra, size_t n_extra,
                      int64_t timeout_ms, struct err *err)
{
    enum rc rc = failed(w, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < HTTP_EXTRA_MAX; i++)
        w->fds[EXTRA + i].fd = -1;
    for (size_t i = 0; i < n_extra; i++)
        w->fds[EXTRA + i] = extra[i];
    int some = poll(w->fds, (nfds_t)w->n, shorter(w, timeout_ms));
    if (some < 0 && errno != EINTR)
        return err_errno(err, RC_NOMEM, errno, "cannot wait for the network");
    for (size_t i = 0; i < n_extra; i++)
        extra[i].revents = some > 0 ? w->fds[EXTRA + i].revents : 0;
    uint64_t count;
    if (some > 0 && w->fds[WAKE].revents)
        (void)!read(w->wake, &count, sizeof count);
    w->code = tell(w, some > 0 ? gather(w) : 0);
    return failed(w, err);
}
