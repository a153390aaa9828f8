/* SPDX-License-Identifier: MIT */
/* Signals reach the loop through a pipe, so that poll wakes up whenever one comes. */
#define _GNU_SOURCE
#include "tests/sim/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/sim/conn.h"
#include "tests/sim/mem.h"

/* The one thing a signal handler can reach. */
static int signal_pipe = -1;

static void on_signal(int number)
{
    int saved = errno;
    char byte = (char)number;
    (void)!write(signal_pipe, &byte, 1);
    errno = saved;
}

struct server {
    struct sim *sim;
    struct wire_tls *tls;
    int listener, wake;
    struct conn **conns;
    struct pollfd *fds; /* listener, wake, then one per connection */
    size_t n, cap;
};

static enum rc listen_on(struct server *v, int64_t port, struct err *err)
{
    int on = 1;
    struct sockaddr_in addr = {.sin_family = AF_INET,
                               .sin_port = htons((uint16_t)port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    v->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (v->listener < 0)
        return err_errno(err, RC_SOURCE, errno, "cannot make a socket");
    (void)setsockopt(v->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(v->listener, (const struct sockaddr *)&addr, sizeof addr) < 0 ||
        listen(v->listener, 1024) < 0)
        return err_errno(err, RC_SOURCE, errno, "cannot listen on port %lld", (long long)port);
    return RC_OK;
}

/* The file appears whole: it is written beside and renamed. */
static enum rc write_port(const char *path, int port, struct err *err)
{
    char beside[4096];
    (void)snprintf(beside, sizeof beside, "%s.new", path);
    FILE *f = fopen(beside, "we");
    bool ok = f && fprintf(f, "%d\n", port) > 0;
    if (f && fclose(f) != 0)
        ok = false;
    if (!ok || rename(beside, path) != 0)
        return err_errno(err, RC_USAGE, errno, "cannot write \"%s\"", path);
    return RC_OK;
}

static enum rc announce(const struct server *v, struct err *err)
{
    struct sockaddr_in addr = {0};
    socklen_t len = sizeof addr;
    (void)getsockname(v->listener, (struct sockaddr *)&addr, &len);
    int port = ntohs(addr.sin_port);
    (void)printf("listening %d\n", port);
    (void)fflush(stdout);
    return v->sim->opt.port_file ? write_port(v->sim->opt.port_file, port, err) : RC_OK;
}

static enum rc catch_signals(struct server *v, struct err *err)
{
    int ends[2];
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
        return err_errno(err, RC_SOURCE, errno, "cannot make a pipe");
    v->wake = ends[0];
    signal_pipe = ends[1];
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
    return RC_OK;
}

static void accept_all(struct server *v)
{
    for (;;) {
        int fd = accept4(v->listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd < 0)
            return;
        if (v->n == v->cap) {
            v->cap = v->cap ? v->cap * 2 : 64;
            v->conns = mem_resize(v->conns, v->cap * sizeof(struct conn *));
            v->fds = mem_resize(v->fds, (v->cap + 2) * sizeof *v->fds);
        }
        v->fds[v->n + 2].revents = 0;
        v->conns[v->n++] = conn_new(fd, v->tls);
        v->sim->stats.connections++;
    }
}

/* Milliseconds until the first waiting connection is due, rounded up; -1 = none. */
static int prepare(struct server *v)
{
    int64_t soonest = INT64_MAX;
    v->fds[0] = (struct pollfd){v->listener, POLLIN, 0};
    v->fds[1] = (struct pollfd){v->wake, POLLIN, 0};
    for (size_t i = 0; i < v->n; i++) {
        const struct conn *c = v->conns[i];
        short events = conn_events(c);
        v->fds[i + 2] = (struct pollfd){events ? c->wire.fd : -1, events, 0};
        if (c->state == CONN_WAITING && c->due_us < soonest)
            soonest = c->due_us;
    }
    if (soonest == INT64_MAX)
        return -1;
    int64_t left = soonest - sim_mono_us();
    return left <= 0 ? 0 : (int)((left + 999) / 1000);
}

static void step_all(struct server *v)
{
    int64_t now = sim_mono_us();
    size_t kept = 0;
    for (size_t i = 0; i < v->n; i++) {
        struct conn *c = v->conns[i];
        conn_step(c, v->sim, v->fds[i + 2].revents, now);
        if (c->state == CONN_DEAD) {
            conn_free(c);
        } else {
            v->conns[kept++] = c;
        }
    }
    v->n = kept;
}

static enum rc loop(struct server *v, struct err *err)
{
    for (;;) {
        int wait = prepare(v);
        if (wait != 0)
            books_flush(&v->sim->books);
        int n = poll(v->fds, (nfds_t)(v->n + 2), wait);
        if (n < 0 && errno != EINTR)
            return err_errno(err, RC_SOURCE, errno, "poll");
        if (n >= 0 && v->fds[1].revents)
            return RC_OK;
        if (n < 0)
            continue;
        bool knock = v->fds[0].revents != 0;
        step_all(v);
        if (knock)
            accept_all(v);
    }
}

enum rc serve(struct sim *s, struct err *err)
{
    struct server v = {.sim = s, .listener = -1, .wake = -1};
    v.fds = mem_zeroed(2 * sizeof *v.fds);
    enum rc rc = RC_OK;
    if (s->opt.tls_cert)
        rc = wire_tls_new(s->opt.tls_cert, s->opt.tls_key, &v.tls, err);
    if (!rc)
        rc = catch_signals(&v, err);
    if (!rc)
        rc = listen_on(&v, s->opt.port, err);
    if (!rc)
        rc = announce(&v, err);
    if (!rc)
        rc = loop(&v, err);
    for (size_t i = 0; i < v.n; i++)
        conn_free(v.conns[i]);
    if (v.listener >= 0)
        (void)close(v.listener);
    wire_tls_free(v.tls);
    free(v.conns);
    free(v.fds);
    return rc;
}
