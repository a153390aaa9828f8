/* SPDX-License-Identifier: MIT */
/* The JSON document that container, metadata service and credential processes answer with. */
#ifndef AWS_CREDS_CREDS_JSON_H
#define AWS_CREDS_CREDS_JSON_H

#include "pipeline/aws/creds/creds.h"

struct creds_names {
    const char *key_id, *secret, *token, *expires;
};

/* AccessKeyId, SecretAccessKey, Token or SessionToken, Expiration. */
extern const struct creds_names creds_names_usual, creds_names_process;

/* Reads the document; `who` names the source in messages. Never quotes the document. */
enum rc creds_json_read(struct str json, const struct creds_names *names, const char *who,
                        struct creds *out, struct err *err) MUST_CHECK;

#endif
