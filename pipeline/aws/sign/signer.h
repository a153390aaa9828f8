/* SPDX-License-Identifier: MIT */
/*
 * Signs requests of one service in one region with whatever the provider holds now. The
 * derived key is kept for the day and dropped when the credentials change.
 */
#ifndef AWS_SIGN_SIGNER_H
#define AWS_SIGN_SIGNER_H

#include <pthread.h>

#include "pipeline/aws/creds/creds.h"
#include "pipeline/aws/sign/sigv4.h"

struct signer {
    struct creds_provider *provider; /* borrowed; a cache when several threads sign */
    char region[64], service[32];
    enum sigv4_path path_rule;
    pthread_mutex_t mu;
    struct creds creds;   /* lock: mu, as all below */
    struct sigv4_key key; /* of creds and day */
    char day[9];
    uint64_t derived; /* keys made so far */
};

void signer_init(struct signer *s, struct creds_provider *provider, const char *region,
                 const char *service);
void signer_release(struct signer *s);

/* What a signed request adds to its headers. Reused from request to request. */
struct signature {
    char date[TIMEFMT_AMZ_SIZE];
    char payload[SIGV4_HEX_SIZE];
    struct buf authorization, token; /* token is empty for permanent keys */
    uint64_t version;                /* of the credentials used */
};
void signer_signature_init(struct signature *g);
void signer_signature_release(struct signature *g);

struct signer_request {
    struct str method, url, body;
    const struct http_header *headers; /* to be sent and signed: no host, date, token */
    size_t n_headers;
    bool send_payload_hash; /* S3: x-amz-content-sha256 */
};

/* thread: any. Signs as of wall clock `now_us`. */
enum rc signer_sign(struct signer *s, const struct signer_request *r, int64_t now_us,
                    struct signature *out, struct err *err) MUST_CHECK;

#endif
