/* SPDX-License-Identifier: MIT */
/* One client connection: reads a request, waits if told so, sends the answer, and starts again. */
#ifndef SIM_CONN_H
#define SIM_CONN_H

#include "tests/sim/http.h"
#include "tests/sim/reply.h"
#include "tests/sim/wire.h"

struct sim;

enum conn_state { CONN_READING, CONN_WAITING, CONN_WRITING, CONN_STALLED, CONN_DEAD };

struct conn {
    struct wire wire;
    enum conn_state state;
    struct buf in;
    size_t request_len; /* of the request being answered */
    int64_t arrival_us;
    struct reply reply;
    bool has_reply;
    struct buf head;
    uint64_t sent, total; /* bytes of head and body */
    int64_t due_us;       /* when a waiting connection goes on */
    int tries;            /* to see the last bytes off before a reset */
    bool close_after;     /* the client asked for it */
};

/* Returns owned. Takes fd. */
struct conn *conn_new(int fd, struct wire_tls *tls);
void conn_free(struct conn *c);

/* What to poll for. */
short conn_events(const struct conn *c);

/* Goes on after poll (`revents` may be 0) as far as it can. CONN_DEAD: free it. */
void conn_step(struct conn *c, struct sim *s, short revents, int64_t now_us);

#endif
