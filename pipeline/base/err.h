/* SPDX-License-Identifier: MIT */
/*
 * The error value. `enum rc` says what can be done about a failure, not what it was; the text
 * is written by the first function that knows the fact, callers only prepend context.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#define MUST_CHECK             __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

enum rc {
    RC_OK = 0,
    RC_AGAIN,       /* nothing to hand out now: wait and ask again; never an error */
    RC_END,         /* no more of it; never an error */
    RC_NONE,        /* what was asked for does not exist; an error only if it must be there */
    RC_NOMEM,       /* out of memory, or past a buffer's ceiling */
    RC_USAGE,       /* the operator must change the call, the model or the target */
    RC_AUTH,        /* credentials are missing, refused or not allowed */
    RC_THROTTLE,    /* slow down and repeat */
    RC_TRANSIENT,   /* repeat later: network, server or disk trouble that may heal */
    RC_DATA,        /* this item or this input is bad; the run can go on without it */
    RC_SINK,        /* the target failed for good */
    RC_SOURCE,      /* the source failed for good */
    RC_CANCEL,      /* the operator asked to stop */
    RC_FINISHED_BAD /* finished, but above what was allowed: exit status 1 */
};

struct err {
    enum rc rc;
    char msg[2048];
};

/* Sets class and text; returns rc, so that `return err_set(err, RC_X, ...)` reads well. */
enum rc err_set(struct err *err, enum rc rc, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* As err_set, and appends ": " and the text of errno value `code`. */
enum rc err_errno(struct err *err, enum rc rc, int code, const char *fmt, ...)
    PRINTF_LIKE(4, 5);

/* Puts "CONTEXT: " before the text; returns err->rc. */
enum rc err_context(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Appends a line "hint: ..."; returns err->rc. */
enum rc err_hint(struct err *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* The uniform out-of-memory error. */
enum rc err_nomem(struct err *err);

void err_clear(struct err *err);

#endif
