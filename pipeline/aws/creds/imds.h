/* SPDX-License-Identifier: MIT */
/*
 * The instance metadata service, version 2 only: every question carries a session token, so
 * that a forged request through a proxy gets nothing. Short time-outs: elsewhere than on
 * EC2 nobody answers.
 */
#ifndef AWS_CREDS_IMDS_H
#define AWS_CREDS_IMDS_H

#include "pipeline/aws/settings.h"

/* A session of a few questions. */
struct imds {
    const struct aws_settings *settings;
    struct buf token; /* wiped */
    char base[256];   /* "http://169.254.169.254" */
};

/* RC_NONE when it is disabled or nobody answers; why is in err. */
enum rc imds_open(struct imds *m, const struct aws_settings *s, struct err *err) MUST_CHECK;
void imds_close(struct imds *m);

/* Appends the answer to GET `path`; RC_NONE for 404. */
enum rc imds_get(struct imds *m, const char *path, struct buf *out, struct err *err) MUST_CHECK;

/* The instance's region; false when there is none to be had. */
bool imds_region(const struct aws_settings *s, struct buf *out);

#endif
