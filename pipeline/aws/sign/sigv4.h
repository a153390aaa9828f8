/* SPDX-License-Identifier: MIT */
/*
 * AWS Signature Version 4 in headers: pure, no clock, no credentials store. The three texts
 * on the way (canonical request, string to sign, signature) are functions of their own, so
 * that each can be compared with published vectors.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html
 */
#ifndef AWS_SIGN_SIGV4_H
#define AWS_SIGN_SIGV4_H

#include "pipeline/base/buf.h"
#include "pipeline/base/timefmt.h"

#define SIGV4_HEX_SIZE 65 /* 64 hex digits and NUL */

/* How the path becomes canonical. */
enum sigv4_path {
    SIGV4_PATH_NORMAL, /* dot segments and double slashes removed, then encoded again */
    SIGV4_PATH_AS_IS,  /* encoded again, nothing removed */
    SIGV4_PATH_S3,     /* taken as the wire has it: already encoded once */
};

struct sigv4_header {
    struct str name, value;
};

struct sigv4_request {
    struct str method;
    struct str path;  /* as on the wire, without the query; empty stands for "/" */
    struct str query; /* as on the wire, without "?" */
    /* All that are to be signed, `host` and `x-amz-date` among them; any order, any case.
     * Headers that must never be signed are left out by sigv4_canonical. */
    const struct sigv4_header *headers;
    size_t n_headers;
    enum sigv4_path path_rule;
    struct str payload_hash; /* hex SHA-256 of the body, or UNSIGNED-PAYLOAD */
};

/* The derived key, good for one secret, day, region and service. */
struct sigv4_key {
    unsigned char bytes[32];
};

struct sigv4_scope {
    const char *amz_date; /* YYYYMMDDTHHMMSSZ */
    struct str region, service;
};

#define SIGV4_EMPTY_HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

void sigv4_hash(struct str body, char out[SIGV4_HEX_SIZE]);

/* Appends the canonical request; `names` (may be NULL) gets the signed names, "a;b;c". */
enum rc sigv4_canonical(const struct sigv4_request *r, struct buf *out, struct buf *names,
                        struct err *err) MUST_CHECK;

void sigv4_string_to_sign(const struct sigv4_scope *scope, struct str canonical,
                          struct buf *out);

void sigv4_derive(struct str secret, const struct sigv4_scope *scope, struct sigv4_key *key);

void sigv4_signature(const struct sigv4_key *key, struct str string_to_sign,
                     char out[SIGV4_HEX_SIZE]);

/* All of the above: appends the value of the Authorization header. */
enum rc sigv4_authorize(const struct sigv4_request *r, const struct sigv4_scope *scope,
                        struct str key_id, const struct sigv4_key *key, struct buf *out,
                        struct err *err) MUST_CHECK;

/* Percent-encodes all but A-Za-z0-9-._~ ('/' too unless keep_slash). */
void sigv4_encode(struct str s, bool keep_slash, struct buf *out);

#endif
