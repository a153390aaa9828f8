/* SPDX-License-Identifier: MIT */
/* Bytes to and from a client, plain or through TLS, never blocking. */
#ifndef SIM_WIRE_H
#define SIM_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "pipeline/base/err.h"

struct wire_tls; /* certificate and key, shared by all connections */
struct ssl_st;

struct wire {
    int fd;
    struct ssl_st *ssl; /* NULL: plain */
    bool want_write;    /* TLS must write before it can read on */
    bool want_read;     /* TLS must read before it can write on */
};

enum { WIRE_AGAIN = -1, WIRE_BROKEN = -2 };

enum rc wire_tls_new(const char *cert, const char *key, struct wire_tls **out,
                     struct err *err) MUST_CHECK;
void wire_tls_free(struct wire_tls *t);

/* Takes fd; `tls` may be NULL. */
void wire_open(struct wire *w, int fd, struct wire_tls *tls);

/* Orderly, or with an RST. */
void wire_close(struct wire *w, bool reset);

/* Bytes read, 0 at the end, WIRE_AGAIN or WIRE_BROKEN. *arrival_us is set to the monotonic time
   at which the kernel got the bytes, if it tells. */
ssize_t wire_read(struct wire *w, char *p, size_t n, int64_t *arrival_us);

/* Bytes written, WIRE_AGAIN or WIRE_BROKEN. `more` says that further bytes follow at once. */
ssize_t wire_write(struct wire *w, const char *p, size_t n, bool more);

/* True if the peer's kernel has all bytes written so far. */
bool wire_drained(const struct wire *w);

#endif
