/* SPDX-License-Identifier: MIT */
/*
 * Signature Version 4, from the server's side, written apart from any client: the signature of
 * a request is computed again from what arrived on the wire and compared.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */
#ifndef SIM_AUTH_H
#define SIM_AUTH_H

#include "tests/sim/http.h"
#include "tests/sim/reply.h"

struct auth_credential {
    char *id, *secret, *token; /* token may be NULL */
};

struct auth {
    struct auth_credential known[16];
    size_t n;
    bool off;               /* signatures are not looked at; dates still are */
    int64_t tolerance_us;   /* how far a request's date may be from the server's clock */
    const char *skew_error; /* name of the error for a wrong date */
};

/* ID:SECRET[:TOKEN] */
bool auth_add(struct auth *a, const char *text);
void auth_release(struct auth *a);

/* True if the request may pass; else the error is in `r`. `now_us` is the server's clock. */
bool auth_check(const struct auth *a, const struct http_request *req, const char *service,
                int64_t now_us, struct reply *r);

/* The access key id of the request, or the empty view. */
struct str auth_key_id(const struct http_request *req);

#endif
