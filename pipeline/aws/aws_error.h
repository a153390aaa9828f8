/* SPDX-License-Identifier: MIT */
/*
 * What an AWS answer means. One table turns (error name, HTTP status, result of the transfer)
 * into a class; the class says what can be done. Nothing else in the program looks at names.
 */
#ifndef AWS_AWS_ERROR_H
#define AWS_AWS_ERROR_H

#include "pipeline/aws/http/http.h"

enum aws_class {
    AWS_OK,
    AWS_FATAL,     /* the request itself is wrong, or the table is not there: stop */
    AWS_AUTH,      /* not allowed, or the keys are unknown: stop */
    AWS_EXPIRED,   /* refresh the credentials, repeat once */
    AWS_SKEW,      /* refused signature: repeat if the clock explains it, else AWS_AUTH */
    AWS_THROTTLE,  /* slow down, repeat */
    AWS_TRANSIENT, /* repeat */
    AWS_CONDITION, /* a conditional write found another item: for the caller to settle */
};

struct aws_failure {
    enum aws_class class;
    enum http_result result;
    long status;
    char name[96]; /* ValidationException ...; "" when the answer names none */
    char message[1024];
    char request_id[96];
    bool key_range;         /* throttled: one hot partition, not the table */
    bool index;             /* throttled: an index, not the table */
    char index_name[256];   /* which, as far as it is said */
    bool maybe_done;        /* the service may have done, and charged, the work */
    int64_t retry_after_ms; /* -1: not said */
    bool retry_after_exact; /* said by x-amz-retry-after, not by Retry-After */
};

/* The table. `name` may be empty. */
enum aws_class aws_error_class(struct str name, long status, enum http_result result);

/* Reads an ended call: JSON and XML error bodies, none, or a proxy's page. */
void aws_error_read(const struct http_call *call, struct aws_failure *f);

/* True if status and body are those of a success. */
bool aws_error_none(const struct http_call *call);

/* Reads an answer that says 200 and holds an error, or not what was asked for: as if it were a 500. */
void aws_error_in_success(const struct http_call *call, struct aws_failure *f);

/* The failure as an error: "WHAT: 400 ValidationException: text (request ID)" and a hint. */
enum rc aws_error_set(const struct aws_failure *f, const char *what,
                      struct err *err) MUST_CHECK;

#endif
