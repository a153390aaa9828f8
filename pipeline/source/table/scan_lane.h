/* SPDX-License-Identifier: MIT */
/*
 * A reader's lanes: each holds one started segment, one request and one page, and goes round
 * due -> flying -> ready -> lent -> due.
 */
#ifndef SOURCE_TABLE_SCAN_LANE_H
#define SOURCE_TABLE_SCAN_LANE_H

#include "pipeline/source/table/scan_private.h"

enum lane_state { LANE_FREE, LANE_DUE, LANE_FLYING, LANE_READY, LANE_LENT };

struct lane {
    struct page page; /* first: a page that comes back is its lane */
    struct scan_reader *reader;
    enum lane_state state;
    uint32_t segment;
    uint64_t sequence;
    struct buf start_key; /* the next request begins behind it */
    struct scan_circle circle;
    int64_t due_us;
    bool repeat; /* of a request that failed */
    uint64_t limit;
    struct dynamodb_request request;
    struct budget_ticket ticket;
    struct lane *next_ready;
};

struct scan_reader {
    struct reader base;
    struct scan *scan;
    struct http_loop *loop;
    struct lane *lanes;
    uint32_t n, started, turn;
    struct lane *ready, **ready_end; /* in order of arrival */
    int64_t send_us;                 /* when a lane may be sent next; INT64_MAX: none waits */
    struct err failed;               /* rc is set: no more pages */
};

/* Sends the lane's request if it is time and the budget allows; else lowers the reader's
 * send_us. False: the budget has nothing for anybody now. */
bool scan_lane_send(struct lane *l, int64_t now);

void scan_lane_init(struct lane *l, struct scan_reader *r);
void scan_lane_release(struct lane *l);

/* Gives up what is in flight; the segment is no longer started. */
void scan_lane_stop(struct lane *l);

#endif
