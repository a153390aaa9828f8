/* SPDX-License-Identifier: MIT */
/*
 * The bytes of an object, streamed: a transfer fills a window, readers take from it, and while it
 * is full the transfer stands still. A transfer that broke goes on where it broke, with a range
 * and If-Match.
 */
#ifndef SOURCE_S3_BYTES_H
#define SOURCE_S3_BYTES_H

#include "pipeline/source/s3/s3_link.h"

struct s3_object {
    const char *name; /* s3://BUCKET/KEY */
    struct str key, etag;
    uint64_t size;
    int64_t mtime_us;
    bool known; /* etag and size are: it was listed, or looked at */
};

enum s3_bytes_state { S3_IDLE, S3_FLYING, S3_RESTING };

struct s3_bytes {
    struct bytes base;
    struct s3_link *link;     /* borrowed */
    struct s3_object *object; /* borrowed; written to while it is not known */
    struct s3_bytes *prev, *next;
    struct s3_request request;
    enum s3_bytes_state state;
    int64_t due_us; /* of a resting one */
    struct buf
        window; /* window.p[0] is byte `from` of the object; the first `gone` are passed */
    uint64_t from;
    size_t gone, room; /* above room bytes the transfer stands still */
    uint64_t until;    /* the end of what is asked for */
    uint64_t began;    /* where this attempt began */
    bool expected;     /* somebody says what is read next; else all is */
    bool headed;       /* the attempt's head was looked at */
    bool drain;        /* the attempt is of an earlier range, and short: it is let end */
    bool look;         /* a HEAD, of an object that may be empty */
    bool patient;      /* reading waits */
    struct err failed;
};

/* Nothing is sent yet. NULL with err set. */
struct s3_bytes *s3_bytes_open(struct s3_link *l, struct s3_object *object, struct err *err);

/* Begins to look at an object that is not known, and to get its first n bytes. */
void s3_bytes_begin(struct s3_bytes *b, uint64_t n);

/* Waits until the object is known, or is not there. RC_NONE: it is not (err is set). */
enum rc s3_bytes_know(struct s3_bytes *b, struct err *err) MUST_CHECK;

/* Starts it if it is due at `now`. When it will be; INT64_MAX: it is not waiting for a time. */
int64_t s3_bytes_turn(struct s3_bytes *b, int64_t now);

struct bytes_facts s3_bytes_facts(const struct s3_object *x);

/* s3_head.c. Is the answer's head that of the range that was asked for? Learns of the object what
 * was not known. False: *why says what is wrong with it; b->failed is set if that is final. */
bool s3_head_check(struct s3_bytes *b, const char **why);

/* s3_head.c. The object is not what it was: sets b->failed. */
void s3_head_changed(struct s3_bytes *b, struct str etag);

#endif
