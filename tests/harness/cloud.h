/* SPDX-License-Identifier: MIT */
/*
 * One server on loopback that plays the metadata service, the container endpoint, STS and the
 * SSO portal, in a world of its own, for the tests of the credential providers.
 */
#ifndef HARNESS_CLOUD_H
#define HARNESS_CLOUD_H

#include "pipeline/aws/creds/creds.h"
#include "tests/harness/awsenv.h"
#include "tests/harness/httpd.h"

/* What the server was asked last, and how it behaves. */
struct cloud {
    char seen[4096]; /* method, target and body, one line per request */
    char authorization[512];
    char token[128]; /* metadata or bearer token */
    int fail;        /* so many requests first get 500 */
    int status;      /* 0: success */
    int renewal;     /* the same for renewing an SSO token */
    const char *expires;
    const char *clock, *hour; /* STS has this Date header, and takes signatures of this hour */
};

struct cloud_test {
    struct awsenv e;
    struct cloud cloud;
    struct httpd *server;
    struct aws_settings s;
    struct creds creds;
    struct err err;
    enum rc (*ask)(const char *prompt, struct buf *answer, struct err *err); /* a terminal */
};

/* cmocka's setup and teardown; *state is a struct cloud_test. */
int cloud_open(void **state);
int cloud_close(void **state);

/* Asks the default chain of the world as it is now: this key, or an RC_AUTH that says so. */
void cloud_good(struct cloud_test *f, const char *key_id);
void cloud_bad(struct cloud_test *f, const char *part);
void cloud_fails(struct cloud_test *f, enum rc rc, const char *part);

/* True if a request like that was seen since the last question. */
bool cloud_saw(const struct cloud_test *f, const char *part);

#endif
