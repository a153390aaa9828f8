/* SPDX-License-Identifier: MIT */
/* Profiles: role chains, single sign-on, and the order of all sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/cloud.h"

static const char ROLES[] =
    "[profile dev]\nrole_arn = arn:r1\nsource_profile = mid\nexternal_id = x y\n"
    "role_session_name = me\nduration_seconds = 900\n"
    "[profile mid]\nrole_arn = arn:r2\nsource_profile = base\n"
    "[profile base]\naws_access_key_id = AKIA\naws_secret_access_key = S\n"
    "[profile self]\nrole_arn = arn:r3\nsource_profile = self\naws_access_key_id = AKIB\n"
    "aws_secret_access_key = S\n"
    "[profile loop1]\nrole_arn = a\nsource_profile = loop2\n"
    "[profile loop2]\nrole_arn = a\nsource_profile = loop1\n"
    "[profile mfa]\nrole_arn = a\nsource_profile = base\nmfa_serial = m\n"
    "[profile both]\nrole_arn = a\nsource_profile = base\ncredential_source = Environment\n"
    "[profile env]\nrole_arn = arn:r4\ncredential_source = Environment\n"
    "[profile lost]\nrole_arn = a\nsource_profile = nobody\n"
    "[profile login]\nlogin_session = arn:x\n"
    "[profile proc]\ncredential_process = printf "
    "'{\"Version\":1,\"AccessKeyId\":\"PROC\",\"SecretAccessKey\":\"x\"}'\n";

static void test_role_chains(void **state)
{
    struct cloud_test *f = *state;
    awsenv_write(&f->e, ".aws/config", ROLES);
    awsenv_set(&f->e, "AWS_PROFILE", "dev");
    cloud_good(f, "ASIA2"); /* assumed by what was assumed */
    assert_true(cloud_saw(f, "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Ar2&"));
    assert_true(cloud_saw(f, "RoleArn=arn%3Ar1&RoleSessionName=me&DurationSeconds=900&"
                             "ExternalId=x%20y\n"));
    assert_non_null(
        strstr(f->cloud.authorization, "Credential=ASIA1/20260102/eu-west-1/sts/aws4_request"));
    awsenv_set(&f->e, "AWS_PROFILE", "self");
    cloud_good(f, "ASIA1");
    assert_non_null(strstr(f->cloud.authorization, "Credential=AKIB/"));
    awsenv_set(&f->e, "AWS_PROFILE", "proc");
    cloud_good(f, "PROC");
    f->cloud.status = 403;
    awsenv_set(&f->e, "AWS_PROFILE", "mid");
    cloud_bad(f, "AssumeRole \"arn:r2\": 403 AccessDenied: not you");
}

static void test_roles_that_cannot_be_assumed(void **state)
{
    struct cloud_test *f = *state;
    static const char *const t[][2] = {
        {"loop1", "goes in a circle"},
        {"mfa", "mfa_serial"},
        {"both", "needs one of source_profile and credential_source"},
        {"lost", "there is no source_profile \"nobody\""},
        {"login", "credential_process = aws configure export-credentials --profile login"},
    };
    awsenv_write(&f->e, ".aws/config", ROLES);
    for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        awsenv_set(&f->e, "AWS_PROFILE", t[i][0]);
        cloud_bad(f, t[i][1]);
    }
    awsenv_set(&f->e, "AWS_PROFILE", "env");
    cloud_bad(f, "credential_source Environment: nothing there");
}

static void write_sso_token(struct cloud_test *f, const char *name, const char *until)
{
    char path[256], text[256];
    (void)snprintf(path, sizeof path, ".aws/sso/cache/%s.json", name);
    (void)snprintf(text, sizeof text, "{\"accessToken\":\"BEARER\",\"expiresAt\":\"%s\"}",
                   until);
    awsenv_write(&f->e, path, text);
}

static void test_single_sign_on(void **state)
{
    struct cloud_test *f = *state;
    /* sha1 of "corp" and of the start URL */
    static const char *const corp = "ee0bfd2552fbd840c02cc48b6e823320543c450f";
    awsenv_write(&f->e, ".aws/config",
                 "[profile new]\nsso_session = corp\nsso_account_id = 111122223333\n"
                 "sso_role_name = Read Only\n[sso-session corp]\nsso_region = us-east-1\n"
                 "sso_start_url = https://x\n"
                 "[profile old]\nsso_start_url = https://x\nsso_region = us-east-1\n"
                 "sso_account_id = 1\nsso_role_name = R\n"
                 "[profile part]\nsso_session = corp\n"
                 "[profile none]\nsso_session = nobody\nsso_account_id = 1\n");
    awsenv_set(&f->e, "AWS_PROFILE", "new");
    cloud_bad(f, "there is no SSO token\nhint: run: aws sso login --profile new");
    write_sso_token(f, corp, "2026-01-02T03:04:05Z");
    cloud_bad(f, "the SSO session has expired\nhint: run: aws sso login --profile new");
    write_sso_token(f, corp, "2026-01-02T04:00:00UTC");
    cloud_good(f, "SSO");
    assert_true(cloud_saw(f, "GET /federation/credentials?role_name=Read%20Only&account_id="
                             "111122223333 \n"));
    assert_string_equal(f->cloud.token, "BEARER");
    assert_int_equal(f->creds.expires_us, INT64_C(1800000000000000));
    f->cloud.status = 401;
    cloud_bad(f, "not accepted any more\nhint: run: aws sso login --profile new");
    f->cloud.status = 0;
    awsenv_set(&f->e, "AWS_PROFILE", "part");
    cloud_bad(f, "sso_account_id is missing");
    awsenv_set(&f->e, "AWS_PROFILE", "none");
    cloud_bad(f, "there is no [sso-session nobody]");
    awsenv_set(&f->e, "AWS_PROFILE", "old");
    cloud_bad(f, "there is no SSO token");
    write_sso_token(f, "98383e6608d65e46b24bbd92582bc8d916605a21", "2026-01-02T04:00:00Z");
    cloud_good(f, "SSO");
}

static void test_order_of_sources(void **state)
{
    struct cloud_test *f = *state;
    awsenv_write(&f->e, ".aws/config",
                 "[default]\naws_access_key_id = CONF\naws_secret_access_key = s\n");
    cloud_good(f, "CONF");
    awsenv_write(&f->e, ".aws/credentials",
                 "[default]\naws_access_key_id = CRED\naws_secret_access_key = s\n"
                 "[half]\naws_access_key_id = H\n");
    cloud_good(f, "CRED");
    awsenv_set(&f->e, "AWS_ACCESS_KEY_ID", "ENV");
    awsenv_set(&f->e, "AWS_SECRET_ACCESS_KEY", "s");
    cloud_good(f, "ENV");
    struct aws_options named = {.profile = "default"};
    aws_settings_release(&f->s);
    awsenv_settings(&f->e, &named, &f->s);
    struct creds_provider *p = creds_default_new(&f->s);
    assert_int_equal(creds_get(p, &f->creds, &f->err), RC_OK);
    assert_string_equal(buf_cstr(&f->creds.key_id), "CRED"); /* named: it is meant */
    creds_free(p);
    awsenv_set(&f->e, "AWS_ACCESS_KEY_ID", NULL);
    awsenv_set(&f->e, "AWS_SECRET_ACCESS_KEY", NULL);
    awsenv_set(&f->e, "AWS_PROFILE", "half");
    cloud_bad(f, "profile: partial credentials, the secret access key is missing");
}

static void test_names_of_the_session_token(void **state)
{
    struct cloud_test *f = *state;
    awsenv_write(&f->e, ".aws/credentials",
                 "[default]\naws_access_key_id = A\naws_secret_access_key = s\n"
                 "aws_security_token = old\n"
                 "[both]\naws_access_key_id = B\naws_secret_access_key = s\n"
                 "aws_security_token = old\naws_session_token = new\n");
    cloud_good(f, "A");
    assert_string_equal(buf_cstr(&f->creds.token), "old");
    awsenv_set(&f->e, "AWS_PROFILE", "both");
    cloud_good(f, "B");
    assert_string_equal(buf_cstr(&f->creds.token), "new");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_role_chains, cloud_open, cloud_close),
        cmocka_unit_test_setup_teardown(test_roles_that_cannot_be_assumed, cloud_open,
                                        cloud_close),
        cmocka_unit_test_setup_teardown(test_single_sign_on, cloud_open, cloud_close),
        cmocka_unit_test_setup_teardown(test_order_of_sources, cloud_open, cloud_close),
        cmocka_unit_test_setup_teardown(test_names_of_the_session_token, cloud_open,
                                        cloud_close),
    };
    return cmocka_run_group_tests(tests, httpd_group, NULL);
}
