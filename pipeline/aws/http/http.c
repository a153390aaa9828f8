/* SPDX-License-Identifier: MIT */
/*
 * The loop. libcurl moves the bytes; the time-outs for the first byte and for a stall are
 * counted here, because libcurl's own speed limit cannot tell waiting from stalling, and so
 * that a test may turn the clock. A body is sent through a callback that cannot rewind:
 * otherwise libcurl would silently send a request again on a connection that died, and the
 * capacity that the first one took would be in nobody's books.
 */
#include "pipeline/aws/http/http.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipeline/aws/http/http_private.h"
#include "pipeline/aws/http/wait.h"

static const int64_t MS = 1000;
enum {
    CONNECT_MS = 5000,
    FIRST_BYTE_MS = 30000,
    STALL_MS = 30000,
    MAX_BODY = 64 << 20,
    SLICE_MS = 200, /* how soon a wish to stop is seen */
};

struct http_loop {
    struct http_config config;
    CURLM *multi;
    struct http_wait wait;
    struct http_call *calls; /* in flight */
    size_t n_calls;
};

enum rc http_global_init(struct err *err)
{
    CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
    if (code != CURLE_OK)
        return err_set(err, RC_NOMEM, "libcurl: %s", curl_easy_strerror(code));
    return RC_OK;
}

void http_global_release(void)
{
    curl_global_cleanup();
}

static void set_defaults(struct http_config *c)
{
    if (!c->env)
        c->env = &env_real;
    if (!c->user_agent)
        c->user_agent = "renorm";
    if (c->connect_ms <= 0)
        c->connect_ms = CONNECT_MS;
    if (c->first_byte_ms <= 0)
        c->first_byte_ms = FIRST_BYTE_MS;
    if (c->stall_ms <= 0)
        c->stall_ms = STALL_MS;
    if (c->max_body == 0)
        c->max_body = MAX_BODY;
}

enum rc http_loop_new(struct http_loop **out, const struct http_config *config, struct err *err)
{
    *out = NULL;
    struct http_loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return err_nomem(err);
    loop->config = *config;
    set_defaults(&loop->config);
    loop->multi = curl_multi_init();
    enum rc rc = loop->multi ? http_wait_init(&loop->wait, loop->multi, err) : err_nomem(err);
    if (rc) {
        (void)curl_multi_cleanup(loop->multi);
        free(loop);
        return rc;
    }
    *out = loop;
    return RC_OK;
}

/* Takes the call out of flight; its answer is as it is. */
static void detach(struct http_call *call)
{
    struct http_private *own = call->own;
    struct http_loop *loop = own->loop;
    (void)curl_multi_remove_handle(loop->multi, own->easy);
    if (own->prev) {
        own->prev->own->next = own->next;
    } else {
        loop->calls = own->next;
    }
    if (own->next)
        own->next->own->prev = own->prev;
    own->prev = own->next = NULL;
    own->loop = NULL;
    loop->n_calls--;
}

void http_loop_free(struct http_loop *loop)
{
    if (!loop)
        return;
    while (loop->calls)
        http_cancel(loop, loop->calls);
    (void)curl_multi_cleanup(loop->multi); /* it still tells of the sockets it closes */
    http_wait_release(&loop->wait);
    free(loop);
}

void http_call_init(struct http_call *call)
{
    *call = (struct http_call){0};
    buf_init(&call->body, MAX_BODY);
    buf_init(&call->head, MAX_BODY);
}

void http_call_release(struct http_call *call)
{
    struct http_private *own = call->own;
    if (own) {
        if (own->loop)
            http_cancel(own->loop, call);
        curl_easy_cleanup(own->easy);
        curl_slist_free_all(own->lines);
        buf_wipe(&own->wire);
        free(own);
    }
    /* answers of credential services are secret */
    buf_wipe(&call->body);
    buf_release(&call->head);
    http_call_init(call);
}

static bool ready(struct http_call *call)
{
    if (call->own)
        return true;
    struct http_private *own = calloc(1, sizeof *own);
    CURL *easy = own ? curl_easy_init() : NULL;
    if (!easy) {
        free(own);
        return false;
    }
    own->easy = easy;
    buf_init(&own->wire, MAX_BODY);
    call->own = own;
    return true;
}

enum rc http_start(struct http_loop *loop, struct http_call *call, struct err *err)
{
    if (!ready(call) || !http_request_set(call, &loop->config))
        return err_nomem(err);
    struct http_private *own = call->own;
    own->env = loop->config.env;
    http_answer_clear(call, loop->config.max_body);
    CURLMcode code = curl_multi_add_handle(loop->multi, own->easy);
    if (code != CURLM_OK)
        return err_set(err, RC_NOMEM, "libcurl: %s", curl_multi_strerror(code));
    call->sent_us = own->env->now_us(own->env->ctx);
    own->loop = loop;
    own->prev = NULL;
    own->next = loop->calls;
    if (loop->calls)
        loop->calls->own->prev = call;
    loop->calls = call;
    loop->n_calls++;
    return RC_OK;
}

void http_cancel(struct http_loop *loop, struct http_call *call)
{
    if (!call->own || call->own->loop != loop)
        return;
    detach(call);
    call->result = HTTP_CANCELED;
    call->status = 0;
}

static int64_t deadline(const struct http_loop *loop, const struct http_private *own)
{
    if (own->phase == PHASE_CONNECT || own->phase == PHASE_PAUSED)
        return INT64_MAX; /* libcurl's own; the caller's own */
    int64_t ms = own->phase == PHASE_WAIT ? loop->config.first_byte_ms : loop->config.stall_ms;
    return own->touched_us + ms * MS;
}

static int64_t wait_ms(const struct http_loop *loop, int64_t timeout_ms)
{
    int64_t now = loop->config.env->mono_us(loop->config.env->ctx);
    for (struct http_call *c = loop->calls; c; c = c->own->next) {
        int64_t at = deadline(loop, c->own);
        int64_t ms = at <= now ? 0 : at == INT64_MAX ? INT64_MAX : (at - now) / MS + 1;
        timeout_ms = ms < timeout_ms ? ms : timeout_ms;
    }
    return timeout_ms;
}

static void end(struct http_call *call, CURLcode code)
{
    detach(call);
    http_answer_finish(call, code);
    if (call->done)
        call->done(call, call->ctx);
}

static void end_finished(struct http_loop *loop)
{
    int left = 0;
    for (CURLMsg *m = curl_multi_info_read(loop->multi, &left); m;
         m = curl_multi_info_read(loop->multi, &left)) {
        if (m->msg != CURLMSG_DONE)
            continue;
        char *owner = NULL;
        CURLcode code = m->data.result; /* m dies with the handle's removal */
        (void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &owner);
        end((struct http_call *)(void *)owner, code);
    }
}

static struct http_call *find_late(struct http_loop *loop, int64_t now)
{
    for (struct http_call *c = loop->calls; c; c = c->own->next) {
        if (deadline(loop, c->own) <= now)
            return c;
    }
    return NULL;
}

static void end_late(struct http_loop *loop)
{
    int64_t now = loop->config.env->mono_us(loop->config.env->ctx);
    for (struct http_call *c = find_late(loop, now); c; c = find_late(loop, now)) {
        bool waiting = c->own->phase == PHASE_WAIT;
        int64_t ms = waiting ? loop->config.first_byte_ms : loop->config.stall_ms;
        (void)snprintf(c->detail, sizeof c->detail, "%s for %.1f s",
                       waiting ? "no answer" : "the answer stood still", (double)ms / 1000);
        end(c, CURLE_OPERATION_TIMEDOUT);
    }
}

enum rc http_poll(struct http_loop *loop, struct pollfd *extra, size_t n_extra,
                  int64_t timeout_ms, struct err *err)
{
    if (n_extra > HTTP_EXTRA_MAX) {
        return err_set(err, RC_USAGE, "%zu sockets to wait for, at most %d", n_extra,
                       HTTP_EXTRA_MAX);
    }
    enum rc rc = http_wait_run(&loop->wait, extra, n_extra, wait_ms(loop, timeout_ms), err);
    if (rc)
        return rc;
    end_finished(loop);
    end_late(loop);
    return RC_OK;
}

void http_go_on_with(struct http_call *call)
{
    struct http_private *own = call->own;
    if (!own || !own->loop || own->phase != PHASE_PAUSED)
        return;
    own->phase = PHASE_READ;
    own->touched_us = own->env->mono_us(own->env->ctx);
    (void)curl_easy_pause(own->easy,
                          CURLPAUSE_CONT); /* what it hands over now may stop it again */
}

void http_refuse(struct http_call *call, const char *why)
{
    call->own->refused = true;
    (void)snprintf(call->detail, sizeof call->detail, "%s", why);
}

void http_wakeup(struct http_loop *loop)
{
    http_wait_wake(&loop->wait);
}

size_t http_pending(const struct http_loop *loop)
{
    return loop->n_calls;
}

enum rc http_go_on(const struct http_config *config, struct err *err)
{
    if (config->stop && atomic_load(config->stop))
        return err_set(err, RC_CANCEL, "interrupted");
    return RC_OK;
}

enum rc http_finish(struct http_loop *loop, struct err *err)
{
    enum rc rc = RC_OK;
    while (!rc && http_pending(loop) > 0) {
        rc = http_go_on(&loop->config, err);
        if (!rc)
            rc = http_poll(loop, NULL, 0, SLICE_MS, err);
    }
    return rc;
}

enum rc http_rest(const struct http_config *config, int64_t at_us, struct err *err)
{
    const struct env *env = config->env;
    for (;;) {
        int64_t left = at_us - env->mono_us(env->ctx);
        enum rc rc = http_go_on(config, err);
        if (rc || left <= 0)
            return rc;
        env->sleep_us(env->ctx, left < SLICE_MS * MS ? left : SLICE_MS * MS);
    }
}

enum rc http_fetch(const struct http_config *config, struct http_call *call, struct err *err)
{
    struct http_loop *loop = NULL;
    enum rc rc = http_loop_new(&loop, config, err);
    if (!rc && loop)
        rc = http_start(loop, call, err);
    if (!rc && loop)
        rc = http_finish(loop, err);
    http_loop_free(loop);
    return rc;
}
