/* SPDX-License-Identifier: MIT */
/*
 * One blocking call of the DynamoDB client with the credentials, region and endpoint of the
 * environment: `ddb OPERATION JSON` prints the answer. RENORM_GZIP=1 asks for compression.
 */
#include <stdio.h>

#include "pipeline/aws/dynamodb/client.h"

static enum rc run(const char *op, const char *json, struct err *err)
{
    struct aws_options options = {0};
    struct aws_settings s;
    enum rc rc = aws_settings_init(&s, &options, &vars_real, &env_real, err);
    if (rc)
        return rc;
    struct creds_provider *cache = creds_default_new(&s);
    struct dynamodb_config config = {.settings = &s, .provider = cache};
    config.gzip = vars_flag(&vars_real, "RENORM_GZIP");
    struct dynamodb d;
    struct buf answer;
    buf_init(&answer, BUF_NO_LIMIT);
    rc = cache ? dynamodb_init(&d, &config, err) : err_nomem(err);
    if (!rc) {
        rc = dynamodb_call(&d, op, NULL, str_of(json), &answer, err);
        dynamodb_release(&d);
    }
    if (!rc)
        (void)puts(buf_cstr(&answer));
    buf_release(&answer);
    creds_free(cache);
    aws_settings_release(&s);
    return rc;
}

int main(int argc, char **argv)
{
    struct err err = {0};
    if (argc != 3) {
        (void)fprintf(stderr, "usage: ddb OPERATION JSON\n");
        return 2;
    }
    enum rc rc = http_global_init(&err);
    if (!rc) {
        rc = run(argv[1], argv[2], &err);
        http_global_release();
    }
    if (rc)
        (void)fprintf(stderr, "ddb: %s\n", err.msg);
    return rc ? 1 : 0;
}
