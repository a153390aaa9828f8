/* SPDX-License-Identifier: MIT */
/*
 * One thread, one poll over all connections. A pipe wakes it to stop. Requests must carry a
 * Content-Length if they have a body, which libcurl always sends here.
 */
#include "tests/harness/httpd.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "pipeline/aws/http/http.h"

enum { MAX_CONNECTIONS = 60 };

struct connection {
    int fd; /* -1: free */
    int number;
    bool hung;
    struct buf in;
};

struct httpd {
    httpd_handler *handler;
    void *ctx;
    int listener, stop[2];
    char url[64];
    pthread_t thread;
    pthread_mutex_t mu;
    int requests, accepted; /* lock: mu */
    struct connection connections[MAX_CONNECTIONS];
};

static bool listen_on_loopback(struct httpd *h)
{
    struct sockaddr_in a = {.sin_family = AF_INET};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t n = sizeof a;
    h->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (h->listener < 0 || bind(h->listener, (struct sockaddr *)&a, sizeof a) != 0 ||
        listen(h->listener, 64) != 0 ||
        getsockname(h->listener, (struct sockaddr *)&a, &n) != 0)
        return false;
    (void)snprintf(h->url, sizeof h->url, "http://127.0.0.1:%d", ntohs(a.sin_port));
    return true;
}

static void drop(struct connection *c, bool reset)
{
    struct linger hard = {.l_onoff = 1, .l_linger = 0};
    if (reset)
        (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    (void)close(c->fd);
    c->fd = -1;
    c->hung = false;
    buf_release(&c->in);
}

static void accept_one(struct httpd *h)
{
    int fd = accept(h->listener, NULL, NULL);
    if (fd < 0)
        return;
    for (int i = 0; i < MAX_CONNECTIONS; i++) {
        struct connection *c = &h->connections[i];
        if (c->fd >= 0)
            continue;
        buf_init(&c->in, BUF_NO_LIMIT);
        c->fd = fd;
        (void)pthread_mutex_lock(&h->mu);
        c->number = h->accepted++;
        (void)pthread_mutex_unlock(&h->mu);
        return;
    }
    (void)close(fd);
}

static bool send_all(int fd, struct str s)
{
    while (s.n > 0) {
        ssize_t n = send(fd, s.p, s.n, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        s = str_from(s, (size_t)n);
    }
    return true;
}

struct str httpd_header(const struct httpd_request *r, const char *name)
{
    size_t n = strlen(name);
    for (size_t at = 0; at < r->head.n;) {
        size_t end = str_find(r->head, STR("\r\n"), at);
        struct str line = str_make(r->head.p + at, end - at);
        at = end + 2;
        if (line.n > n + 1 && line.p[n] == ':' && strncasecmp(line.p, name, n) == 0)
            return str_from(line, n + (line.p[n + 1] == ' ' ? 2 : 1));
    }
    return STR("");
}

/* True if a whole request stands in the buffer. */
static bool cut_request(struct connection *c, struct httpd_request *r, size_t *total)
{
    struct str in = buf_view(&c->in);
    size_t end = str_find(in, STR("\r\n\r\n"), 0);
    if (end == in.n)
        return false;
    size_t sp = str_find(in, STR(" "), 0), sp2 = str_find(in, STR(" "), sp + 1);
    r->method = str_make(in.p, sp);
    r->target = str_make(in.p + sp + 1, sp2 - sp - 1);
    r->head = str_make(in.p, end + 2);
    unsigned long long length = 0;
    (void)str_uint(httpd_header(r, "Content-Length"), &length);
    *total = end + 4 + (size_t)length;
    r->body = str_make(in.p + end + 4, (size_t)length);
    return in.n >= *total;
}

static void serve(struct httpd *h, struct connection *c)
{
    struct httpd_request r = {.connection = c->number};
    size_t total = 0;
    while (c->fd >= 0 && !c->hung && cut_request(c, &r, &total)) {
        struct httpd_reply reply = {.then = HTTPD_KEEP};
        buf_init(&reply.bytes, BUF_NO_LIMIT);
        (void)pthread_mutex_lock(&h->mu);
        r.number = h->requests++;
        h->handler(&r, &reply, h->ctx);
        (void)pthread_mutex_unlock(&h->mu);
        bool sent = send_all(c->fd, buf_view(&reply.bytes));
        c->in.len -= total;
        memmove(c->in.p, c->in.p + total, c->in.len);
        if (!sent || reply.then == HTTPD_CLOSE || reply.then == HTTPD_RESET) {
            drop(c, reply.then == HTTPD_RESET);
        } else {
            c->hung = reply.then == HTTPD_HANG;
        }
        buf_release(&reply.bytes);
    }
}

static void receive(struct httpd *h, struct connection *c)
{
    char chunk[65536];
    ssize_t n = recv(c->fd, chunk, sizeof chunk, 0);
    if (n <= 0) {
        drop(c, false);
        return;
    }
    buf_add(&c->in, chunk, (size_t)n);
    serve(h, c);
}

static void *run(void *arg)
{
    struct httpd *h = arg;
    for (;;) {
        struct pollfd fds[MAX_CONNECTIONS + 2];
        fds[0] = (struct pollfd){.fd = h->stop[0], .events = POLLIN};
        fds[1] = (struct pollfd){.fd = h->listener, .events = POLLIN};
        for (int i = 0; i < MAX_CONNECTIONS; i++)
            fds[i + 2] = (struct pollfd){.fd = h->connections[i].fd, .events = POLLIN};
        if (poll(fds, MAX_CONNECTIONS + 2, -1) < 0)
            continue;
        if (fds[0].revents)
            return NULL;
        for (int i = 0; i < MAX_CONNECTIONS; i++) {
            if (fds[i + 2].revents)
                receive(h, &h->connections[i]);
        }
        if (fds[1].revents)
            accept_one(h);
    }
}

int httpd_group(void **state)
{
    (void)state;
    struct err err = {0};
    return http_global_init(&err);
}

struct httpd *httpd_new(httpd_handler *handler, void *ctx)
{
    struct httpd *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->handler = handler;
    h->ctx = ctx;
    for (int i = 0; i < MAX_CONNECTIONS; i++)
        h->connections[i].fd = -1;
    (void)pthread_mutex_init(&h->mu, NULL);
    if (pipe(h->stop) != 0 || !listen_on_loopback(h) ||
        pthread_create(&h->thread, NULL, run, h) != 0) {
        free(h);
        return NULL;
    }
    return h;
}

void httpd_free(struct httpd *h)
{
    if (!h)
        return;
    if (write(h->stop[1], "x", 1) == 1)
        (void)pthread_join(h->thread, NULL);
    for (int i = 0; i < MAX_CONNECTIONS; i++) {
        if (h->connections[i].fd >= 0)
            drop(&h->connections[i], false);
    }
    (void)close(h->listener);
    (void)close(h->stop[0]);
    (void)close(h->stop[1]);
    (void)pthread_mutex_destroy(&h->mu);
    free(h);
}

const char *httpd_url(const struct httpd *h)
{
    return h->url;
}

static int locked(struct httpd *h, const int *what)
{
    (void)pthread_mutex_lock(&h->mu);
    int n = *what;
    (void)pthread_mutex_unlock(&h->mu);
    return n;
}

int httpd_requests(struct httpd *h)
{
    return locked(h, &h->requests);
}

int httpd_connections(struct httpd *h)
{
    return locked(h, &h->accepted);
}

void httpd_answer(struct httpd_reply *reply, int status, const char *headers, struct str body)
{
    buf_addf(&reply->bytes, "HTTP/1.1 %d Text\r\nContent-Length: %zu\r\n%s\r\n", status, body.n,
             headers);
    buf_add_str(&reply->bytes, body);
}
