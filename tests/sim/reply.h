/* SPDX-License-Identifier: MIT */
/*
 * An answer on its way out: status, headers, body, and how it is to be delivered (late, in
 * drips, cut short, followed by a reset). Faults change the delivery or the body after the
 * operation has filled it.
 */
#ifndef SIM_REPLY_H
#define SIM_REPLY_H

#include <stdint.h>

#include "pipeline/base/buf.h"

enum reply_end {
    REPLY_KEEP,  /* keep the connection */
    REPLY_CLOSE, /* orderly close, announced or not */
    REPLY_RESET, /* RST */
    REPLY_STALL  /* say nothing more until the client closes */
};

struct reply {
    int status;
    const char *content_type;
    const char *encoding; /* Content-Encoding, or NULL */
    struct str shared;    /* borrowed first part of the body: a canned page */
    struct buf body;      /* owned rest of the body */
    uint64_t filler;      /* blanks sent after the body */
    struct buf headers;   /* further header lines */
    uint32_t crc;
    bool crc_set, crc_off; /* crc given already; no crc header at all */
    bool announce_close;
    bool silent;       /* not even a head: the connection just ends as `end` says */
    uint64_t send_max; /* body bytes really sent before `end` */
    enum reply_end end;
    int64_t delay_us;
    uint64_t drip_bytes;
    int64_t drip_us;
    bool xml; /* errors are written as S3 does */
    /* for the books */
    double units, index_units;
    char outcome[64];  /* "ok" or the error's name */
    const char *fault; /* name of the action that was taken, or "-" */
};

void reply_init(struct reply *r);
void reply_release(struct reply *r);

/* Replaces what is there by an error as DynamoDB writes it. `extra` is more JSON members. */
void reply_error(struct reply *r, int status, const char *type, const char *message,
                 const char *extra);

/* ValidationException. */
void reply_invalid(struct reply *r, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Makes the whole body owned, so that it can be changed. */
void reply_own(struct reply *r);

/* Writes the head of the answer. `now_us` is the server's wall clock, `serial` makes the id. */
void reply_head(struct reply *r, int64_t now_us, uint64_t serial, struct buf *out);

/* "Mon, 02 Jan 2006 15:04:05 GMT" */
void reply_date(int64_t now_us, char out[64]);

#endif
