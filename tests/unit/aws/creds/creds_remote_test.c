/* SPDX-License-Identifier: MIT */
/* The providers that ask a service: instance metadata, container endpoint, web identity. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/aws/creds/container.h"
#include "tests/harness/cloud.h"

static void test_instance_metadata_v2(void **state)
{
    struct cloud_test *f = *state;
    cloud_bad(f, "instance metadata: turned off by AWS_EC2_METADATA_DISABLED");
    awsenv_set(&f->e, "AWS_EC2_METADATA_DISABLED", NULL);
    awsenv_set(&f->e, "AWS_EC2_METADATA_SERVICE_ENDPOINT", httpd_url(f->server));
    cloud_good(f, "ROLE");
    assert_string_equal(f->cloud.seen,
                        "PUT /latest/api/token \n"
                        "GET /latest/meta-data/iam/security-credentials/ \n"
                        "GET /latest/meta-data/iam/security-credentials/my-role \n");
    assert_string_equal(f->cloud.token, "IMDSTOKEN");
    assert_int_equal(f->creds.expires_us, f->e.now_us + INT64_C(3600) * 1000000);
    f->cloud.expires = "2026-01-02T03:00:00Z"; /* past: used on for a while */
    cloud_good(f, "ROLE");
    assert_true(f->creds.expires_us > f->e.now_us + INT64_C(900) * 1000000);
    f->cloud.status = 403; /* never without a token */
    cloud_bad(f, "instance metadata: the metadata service answered 403");
    assert_string_equal(f->cloud.seen, "PUT /latest/api/token \n");
}

static void test_metadata_is_asked_again_when_told_so(void **state)
{
    struct cloud_test *f = *state;
    awsenv_set(&f->e, "AWS_EC2_METADATA_DISABLED", NULL);
    awsenv_set(&f->e, "AWS_EC2_METADATA_SERVICE_ENDPOINT", httpd_url(f->server));
    f->cloud.fail = 2;
    cloud_fails(f, RC_TRANSIENT, "the metadata service answered 500");
    f->cloud.fail = 2;
    awsenv_set(&f->e, "AWS_METADATA_SERVICE_NUM_ATTEMPTS", "3");
    cloud_good(f, "ROLE");
}

static void test_container_endpoint(void **state)
{
    struct cloud_test *f = *state;
    char url[128], path[256];
    (void)snprintf(url, sizeof url, "%s/creds", httpd_url(f->server));
    awsenv_set(&f->e, "AWS_CONTAINER_CREDENTIALS_FULL_URI", url);
    cloud_good(f, "ROLE");
    assert_string_equal(f->cloud.authorization, "");
    awsenv_set(&f->e, "AWS_CONTAINER_AUTHORIZATION_TOKEN", "Basic abc");
    cloud_good(f, "ROLE");
    assert_string_equal(f->cloud.authorization, "Basic abc");
    awsenv_write(&f->e, "token", "from file\n");
    (void)snprintf(path, sizeof path, "%s/token", f->e.home);
    awsenv_set(&f->e, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", path);
    f->cloud.fail = 2; /* three tries, a second apart */
    cloud_good(f, "ROLE");
    assert_string_equal(f->cloud.authorization, "from file");
    assert_int_equal(f->e.slept_us, 2000000);
    awsenv_write(&f->e, "token", "two\nlines");
    cloud_bad(f, "line breaks");
    awsenv_set(&f->e, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/does/not/exist");
    cloud_bad(f, "cannot be read");
}

static void test_container_addresses(void **state)
{
    struct cloud_test *f = *state;
    static const struct {
        const char *url;
        enum rc want;
    } t[] = {
        {"https://anywhere.example/x", RC_OK}, {"http://localhost:1/x", RC_OK},
        {"http://127.9.9.9/x", RC_OK},         {"http://169.254.170.23/v1", RC_OK},
        {"http://[fd00:ec2::23]:80/x", RC_OK}, {"http://169.254.170.24/", RC_AUTH},
        {"http://127.evil.example/", RC_AUTH}, {"http://example.com/", RC_AUTH},
        {"file:///etc/passwd", RC_AUTH},
    };
    struct buf out;
    buf_init(&out, 1024);
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        awsenv_set(&f->e, "AWS_CONTAINER_CREDENTIALS_FULL_URI", t[i].url);
        buf_clear(&out);
        assert_int_equal(creds_container_url(&f->e.vars, &out, &f->err), t[i].want);
    }
    awsenv_set(&f->e, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/x");
    buf_clear(&out);
    assert_int_equal(creds_container_url(&f->e.vars, &out, &f->err), RC_OK);
    assert_string_equal(buf_cstr(&out), "http://169.254.170.2/v2/x");
    buf_release(&out);
}

static void test_web_identity(void **state)
{
    struct cloud_test *f = *state;
    char path[256];
    awsenv_write(&f->e, "jwt", "a.b/c+d=\n");
    (void)snprintf(path, sizeof path, "%s/jwt", f->e.home);
    awsenv_set(&f->e, "AWS_WEB_IDENTITY_TOKEN_FILE", path);
    cloud_bad(f, "AWS_ROLE_ARN is not");
    awsenv_set(&f->e, "AWS_ROLE_ARN", "arn:aws:iam::1:role/r");
    f->cloud.fail = 2;
    cloud_good(f, "ASIA1");
    assert_true(
        cloud_saw(f, "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws"
                     "%3Aiam%3A%3A1%3Arole%2Fr&RoleSessionName=renorm-1767323045"
                     "&WebIdentityToken=a.b%2Fc%2Bd%3D\n"));
    assert_string_equal(f->cloud.authorization, "");
    assert_string_equal(buf_cstr(&f->creds.secret), "s+/=&");
    f->cloud.status = 403;
    cloud_bad(f, "AssumeRoleWithWebIdentity: 403 AccessDenied: not you");
    awsenv_set(&f->e, "AWS_WEB_IDENTITY_TOKEN_FILE", "/does/not/exist");
    cloud_bad(f, "cannot be read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_instance_metadata_v2, cloud_open, cloud_close),
        cmocka_unit_test_setup_teardown(test_metadata_is_asked_again_when_told_so, cloud_open,
                                        cloud_close),
        cmocka_unit_test_setup_teardown(test_container_endpoint, cloud_open, cloud_close),
        cmocka_unit_test_setup_teardown(test_container_addresses, cloud_open, cloud_close),
        cmocka_unit_test_setup_teardown(test_web_identity, cloud_open, cloud_close),
    };
    return cmocka_run_group_tests(tests, httpd_group, NULL);
}
