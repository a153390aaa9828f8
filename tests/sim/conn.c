/* SPDX-License-Identifier: MIT */
/*
 * A connection is in one state at a time; a step moves it on until it would block. Requests sent
 * ahead of the answer stay in the buffer until their turn.
 */
#define _GNU_SOURCE
#include "tests/sim/conn.h"

#include <poll.h>
#include <stdlib.h>
#include <strings.h>

#include "tests/sim/mem.h"
#include "tests/sim/sim.h"

struct conn *conn_new(int fd, struct wire_tls *tls)
{
    struct conn *c = mem_zeroed(sizeof *c);
    wire_open(&c->wire, fd, tls);
    buf_init(&c->in, HTTP_MAX_HEAD + HTTP_MAX_BODY + 65536);
    buf_init(&c->head, 1 << 20);
    if (tls && !c->wire.ssl)
        c->state = CONN_DEAD;
    return c;
}

static void drop_reply(struct conn *c)
{
    if (c->has_reply)
        reply_release(&c->reply);
    c->has_reply = false;
}

void conn_free(struct conn *c)
{
    bool reset = c->has_reply && c->reply.end == REPLY_RESET;
    drop_reply(c);
    wire_close(&c->wire, reset);
    buf_release(&c->in);
    buf_release(&c->head);
    free(c);
}

short conn_events(const struct conn *c)
{
    switch (c->state) {
    case CONN_READING:
        return c->wire.want_write ? POLLOUT : POLLIN;
    case CONN_WRITING:
        return c->wire.want_read ? POLLIN : POLLOUT;
    case CONN_STALLED:
        return POLLIN;
    case CONN_WAITING:
    case CONN_DEAD:
        break;
    }
    return 0;
}

static void begin_reply(struct conn *c, struct sim *s, const struct http_request *req)
{
    struct reply *r = &c->reply;
    reply_init(r);
    c->has_reply = true;
    buf_clear(&c->head);
    struct str connection = http_header(req, "connection", 0);
    c->close_after = connection.n == 5 && strncasecmp(connection.p, "close", 5) == 0;
    if (req->path.n)
        sim_handle(s, req, r);
    r->announce_close = r->announce_close || c->close_after;
    if (!r->silent)
        reply_head(r, sim_wall_us(s), s->serial, &c->head);
    uint64_t body = r->silent ? 0 : r->shared.n + r->body.len + r->filler;
    c->sent = 0;
    c->total = c->head.len + (body < r->send_max ? body : r->send_max);
    c->state = r->delay_us ? CONN_WAITING : CONN_WRITING;
    c->due_us = sim_mono_us() + r->delay_us;
}

static void refuse(struct conn *c, struct sim *s, int status, const char *message)
{
    static const struct http_request none;
    begin_reply(c, s, &none);
    reply_error(&c->reply, status, "RequestRefused", message, NULL);
    c->reply.announce_close = true;
    c->close_after = true;
    buf_clear(&c->head);
    reply_head(&c->reply, sim_wall_us(s), s->serial, &c->head);
    c->total = c->head.len + c->reply.body.len;
    c->request_len = c->in.len;
}

/* True if a whole request was there and an answer is on its way. */
static bool take_request(struct conn *c, struct sim *s)
{
    struct http_request req;
    switch (http_parse(buf_view(&c->in), &req)) {
    case HTTP_MORE:
        return false;
    case HTTP_BAD:
        refuse(c, s, 400, "not an HTTP request with a Content-Length");
        return true;
    case HTTP_TOO_LARGE:
        refuse(c, s, 413, "Request entity is too large");
        return true;
    case HTTP_DONE:
        break;
    }
    req.arrival_us = c->arrival_us;
    c->request_len = req.total;
    begin_reply(c, s, &req);
    return true;
}

static void read_some(struct conn *c, struct sim *s)
{
    for (;;) {
        if (take_request(c, s))
            return;
        if (!buf_room(&c->in, 16384)) {
            c->state = CONN_DEAD;
            return;
        }
        c->arrival_us = sim_mono_us();
        ssize_t n = wire_read(&c->wire, c->in.p + c->in.len, 16384, &c->arrival_us);
        if (n == WIRE_AGAIN)
            return;
        if (n <= 0) {
            c->state = CONN_DEAD;
            return;
        }
        c->in.len += (size_t)n;
    }
}

/* The bytes at c->sent: head, shared part, body, filler, in this order. */
static struct str next_bytes(const struct conn *c)
{
    static const char blanks[] =
        "                                                                ";
    uint64_t at = c->sent;
    const struct str parts[] = {buf_view(&c->head), c->reply.shared, buf_view(&c->reply.body)};
    for (size_t i = 0; i < 3; i++) {
        if (at < parts[i].n)
            return str_from(parts[i], (size_t)at);
        at -= parts[i].n;
    }
    return str_make(blanks, sizeof blanks - 1);
}

/* A reset throws away what is still in the kernel: wait until the client has it, or gives up. */
static void end_reply(struct conn *c, int64_t now_us)
{
    enum reply_end end = c->reply.end;
    if (end == REPLY_RESET && !wire_drained(&c->wire) && c->tries++ < 30000) {
        c->state = CONN_WAITING;
        c->due_us = now_us + 1000;
        return;
    }
    if (end == REPLY_STALL) {
        c->state = CONN_STALLED;
        return;
    }
    if (end != REPLY_KEEP || c->close_after) {
        c->state = CONN_DEAD;
        return;
    }
    drop_reply(c);
    memmove(c->in.p, c->in.p + c->request_len, c->in.len - c->request_len);
    c->in.len -= c->request_len;
    c->state = CONN_READING;
}

static void write_some(struct conn *c, struct sim *s, int64_t now_us)
{
    uint64_t room = c->reply.drip_bytes ? c->reply.drip_bytes : UINT64_MAX;
    while (c->sent < c->total && room > 0) {
        struct str part = next_bytes(c);
        uint64_t left = c->total - c->sent;
        uint64_t n = part.n < left ? part.n : left;
        n = n < room ? n : room;
        ssize_t put = wire_write(&c->wire, part.p, (size_t)n, n < left && n < room);
        if (put == WIRE_AGAIN)
            return;
        if (put < 0) {
            c->state = CONN_DEAD;
            return;
        }
        c->sent += (uint64_t)put;
        room -= (uint64_t)put;
        s->stats.bytes_out += (uint64_t)put;
    }
    if (c->sent == c->total) {
        end_reply(c, now_us);
        return;
    }
    c->state = CONN_WAITING;
    c->due_us += c->reply.drip_us; /* the rate is kept: what is late is caught up */
    if (c->due_us < now_us - 100000)
        c->due_us = now_us;
}

/* A stalled client can only go away. */
static void watch_stalled(struct conn *c)
{
    char junk[256];
    int64_t when;
    ssize_t n = wire_read(&c->wire, junk, sizeof junk, &when);
    if (n != WIRE_AGAIN && n <= 0)
        c->state = CONN_DEAD;
}

void conn_step(struct conn *c, struct sim *s, short revents, int64_t now_us)
{
    if (c->state == CONN_WAITING && now_us >= c->due_us) {
        c->state = CONN_WRITING;
    } else if (revents == 0) {
        return;
    }
    if (c->state == CONN_STALLED)
        watch_stalled(c);
    enum conn_state before;
    do {
        before = c->state;
        if (c->state == CONN_READING)
            read_some(c, s);
        if (c->state == CONN_WRITING)
            write_some(c, s, now_us);
    } while (c->state != before && (c->state == CONN_READING || c->state == CONN_WRITING));
}
