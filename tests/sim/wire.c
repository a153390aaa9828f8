/* SPDX-License-Identifier: MIT */
/*
 * The time of arrival comes from the kernel (SO_TIMESTAMPNS), so that a busy simulator does not
 * make requests look bunched that were sent apart. TLS hides it: there the time of reading counts.
 */
#define _GNU_SOURCE
#include "tests/sim/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/sim/mem.h"

struct wire_tls {
    SSL_CTX *ctx;
};

enum rc wire_tls_new(const char *cert, const char *key, struct wire_tls **out, struct err *err)
{
    SSL_CTX *ctx = SSL_CTX_new(TLS_server_method());
    if (!ctx || SSL_CTX_use_certificate_chain_file(ctx, cert) != 1 ||
        SSL_CTX_use_PrivateKey_file(ctx, key, SSL_FILETYPE_PEM) != 1) {
        SSL_CTX_free(ctx);
        return err_set(err, RC_USAGE, "cannot use certificate \"%s\" with key \"%s\": %s", cert,
                       key, ERR_reason_error_string(ERR_peek_last_error()));
    }
    (void)SSL_CTX_set_min_proto_version(ctx, TLS1_2_VERSION);
    (void)SSL_CTX_set_mode(ctx,
                           SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    *out = mem_zeroed(sizeof **out);
    (*out)->ctx = ctx;
    return RC_OK;
}

void wire_tls_free(struct wire_tls *t)
{
    if (!t)
        return;
    SSL_CTX_free(t->ctx);
    free(t);
}

void wire_open(struct wire *w, int fd, struct wire_tls *tls)
{
    int on = 1;
    *w = (struct wire){.fd = fd};
    (void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    (void)setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    if (!tls)
        return;
    w->ssl = SSL_new(tls->ctx);
    if (w->ssl) {
        (void)SSL_set_fd(w->ssl, fd);
        SSL_set_accept_state(w->ssl);
    }
}

void wire_close(struct wire *w, bool reset)
{
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    if (reset) {
        (void)setsockopt(w->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    } else if (w->ssl) {
        (void)SSL_shutdown(w->ssl);
    }
    SSL_free(w->ssl);
    ERR_clear_error();
    (void)close(w->fd);
    *w = (struct wire){.fd = -1};
}

static int64_t micros(const struct timespec *ts)
{
    return (int64_t)ts->tv_sec * 1000000 + ts->tv_nsec / 1000;
}

/* The stamp is wall-clock time; its age is taken off the monotonic clock. */
static void stamp(struct msghdr *msg, int64_t *arrival_us)
{
    struct timespec wall;
    struct timespec mono;
    struct timespec at;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        memcpy(&at, CMSG_DATA(c), sizeof at);
        (void)clock_gettime(CLOCK_REALTIME, &wall);
        (void)clock_gettime(CLOCK_MONOTONIC, &mono);
        int64_t age = micros(&wall) - micros(&at);
        if (at.tv_sec && age > 0)
            *arrival_us = micros(&mono) - age;
    }
}

static ssize_t read_plain(struct wire *w, char *p, size_t n, int64_t *arrival_us)
{
    union {
        char space[CMSG_SPACE(sizeof(struct timespec))];
        struct cmsghdr align;
    } control;
    struct iovec iov;
    iov.iov_base = p;
    iov.iov_len = n;
    struct msghdr msg = {.msg_iov = &iov,
                         .msg_iovlen = 1,
                         .msg_control = control.space,
                         .msg_controllen = sizeof control.space};
    ssize_t got = recvmsg(w->fd, &msg, 0);
    if (got < 0)
        return errno == EAGAIN || errno == EINTR ? WIRE_AGAIN : WIRE_BROKEN;
    stamp(&msg, arrival_us);
    return got;
}

static ssize_t tls_result(struct wire *w, int result)
{
    int why = SSL_get_error(w->ssl, result);
    w->want_read = why == SSL_ERROR_WANT_READ;
    w->want_write = why == SSL_ERROR_WANT_WRITE;
    ERR_clear_error();
    if (w->want_read || w->want_write)
        return WIRE_AGAIN;
    return why == SSL_ERROR_ZERO_RETURN ? 0 : WIRE_BROKEN;
}

ssize_t wire_read(struct wire *w, char *p, size_t n, int64_t *arrival_us)
{
    if (!w->ssl)
        return read_plain(w, p, n, arrival_us);
    int got = SSL_read(w->ssl, p, n > 1 << 20 ? 1 << 20 : (int)n);
    return got > 0 ? got : tls_result(w, got);
}

ssize_t wire_write(struct wire *w, const char *p, size_t n, bool more)
{
    if (w->ssl) {
        int put = SSL_write(w->ssl, p, n > 1 << 20 ? 1 << 20 : (int)n);
        ssize_t result = put > 0 ? put : tls_result(w, put);
        return result == 0 ? WIRE_BROKEN : result;
    }
    ssize_t put = send(w->fd, p, n, MSG_NOSIGNAL | (more ? MSG_MORE : 0));
    if (put < 0)
        return errno == EAGAIN || errno == EINTR ? WIRE_AGAIN : WIRE_BROKEN;
    return put;
}

bool wire_drained(const struct wire *w)
{
    int left = 0;
    return ioctl(w->fd, SIOCOUTQ, &left) < 0 || left == 0;
}
