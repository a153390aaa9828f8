/* SPDX-License-Identifier: MIT */
/* What needs more than a file: an SSO token that is renewed, a code that is asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "tests/harness/cloud.h"

static const char TOKEN[] = ".aws/sso/cache/ee0bfd2552fbd840c02cc48b6e823320543c450f.json";

/* The world's clock stands at 03:04:05. */
static void log_in(struct cloud_test *f, const char *until, const char *registered)
{
    char text[512];
    awsenv_write(&f->e, ".aws/config",
                 "[profile new]\nsso_session = corp\nsso_account_id = 111122223333\n"
                 "sso_role_name = R\n[sso-session corp]\nsso_region = us-east-1\n"
                 "sso_start_url = https://x\n");
    awsenv_set(&f->e, "AWS_PROFILE", "new");
    (void)snprintf(text, sizeof text,
                   "{\"startUrl\":\"https://x\",\"accessToken\":\"OLD\",\"expiresAt\":\"%s\","
                   "\"clientId\":\"id\",\"clientSecret\":\"se\\\"cret\",\"odd\":[1,true],"
                   "\"registrationExpiresAt\":\"%s\",\"refreshToken\":\"R1\"}",
                   until, registered);
    awsenv_write(&f->e, TOKEN, text);
}

static void file_is(struct cloud_test *f, const char *want)
{
    char path[256], text[1024];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/%s", f->e.home, TOKEN);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    assert_string_equal(text, want);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void test_token_is_renewed_shortly_before_its_end(void **state)
{
    struct cloud_test *f = *state;
    static const char *const WHEN[] = {"2026-01-02T03:04:05Z", "2026-01-02T03:09:04Z"};
    for (size_t i = 0; i < 2; i++) {
        log_in(f, WHEN[i], "2026-03-01T00:00:00Z");
        cloud_good(f, "SSO");
        assert_string_equal(f->cloud.token, "NEW");
        assert_true(
            cloud_saw(f, "POST /token {\"grantType\":\"refresh_token\",\"clientId\":\"id\","
                         "\"clientSecret\":\"se\\\"cret\",\"refreshToken\":\"R1\"}\n"));
        file_is(f, "{\"startUrl\":\"https://x\",\"accessToken\":\"NEW\","
                   "\"expiresAt\":\"2026-01-02T04:04:05Z\",\"clientId\":\"id\","
                   "\"clientSecret\":\"se\\\"cret\",\"odd\":[1,true],"
                   "\"registrationExpiresAt\":\"2026-03-01T00:00:00Z\","
                   "\"refreshToken\":\"R2\"}");
    }
    /* the new one is good for an hour */
    cloud_good(f, "SSO");
    assert_false(cloud_saw(f, "POST /token"));
    assert_string_equal(f->cloud.token, "NEW");
}

static void test_token_is_left_alone_while_it_is_good(void **state)
{
    struct cloud_test *f = *state;
    log_in(f, "2026-01-02T03:09:06Z", "2026-03-01T00:00:00Z");
    cloud_good(f, "SSO");
    assert_false(cloud_saw(f, "POST /token"));
    assert_string_equal(f->cloud.token, "OLD");
}

static void test_renewal_is_refused(void **state)
{
    struct cloud_test *f = *state;
    f->cloud.renewal = 400;
    log_in(f, "2026-01-02T03:05:00Z", "2026-03-01T00:00:00Z");
    cloud_good(f, "SSO"); /* it is still good for a minute */
    assert_true(cloud_saw(f, "POST /token"));
    assert_string_equal(f->cloud.token, "OLD");
    log_in(f, "2026-01-02T03:04:00Z", "2026-03-01T00:00:00Z");
    cloud_bad(f, "the SSO session has expired, and is not renewed: SSO CreateToken: 400 "
                 "InvalidGrantException");
    assert_non_null(strstr(f->err.msg, "hint: run: aws sso login --profile new"));
    assert_null(strstr(f->err.msg, "R1"));
    assert_null(strstr(f->err.msg, "cret\""));
    f->cloud.renewal = 0;
    log_in(f, "2026-01-02T03:04:00Z", "2026-01-02T03:04:00Z"); /* so is the registration */
    cloud_bad(f, "the SSO session has expired\nhint: run: aws sso login --profile new");
    assert_false(cloud_saw(f, "POST /token"));
}

static const char *typed;
static char asked[256];

static enum rc answer(const char *prompt, struct buf *out, struct err *err)
{
    (void)snprintf(asked, sizeof asked, "%s", prompt);
    if (!typed)
        return RC_NONE;
    buf_puts(out, typed);
    return buf_check(out, err);
}

static void test_code_is_asked_for(void **state)
{
    struct cloud_test *f = *state;
    awsenv_write(&f->e, ".aws/config",
                 "[profile mfa]\nrole_arn = arn:r\nsource_profile = base\n"
                 "mfa_serial = arn:aws:iam::1:mfa/me\n"
                 "[profile base]\naws_access_key_id = AKIA\naws_secret_access_key = S\n");
    awsenv_set(&f->e, "AWS_PROFILE", "mfa");
    cloud_bad(f, "which an unattended run cannot give"); /* nobody to ask */
    f->ask = answer;
    typed = NULL;
    cloud_bad(f, "which an unattended run cannot give"); /* no terminal */
    typed = "12345x";
    cloud_bad(f, "a code has six digits");
    assert_false(cloud_saw(f, "AssumeRole"));
    typed = "123456";
    cloud_good(f, "ASIA1");
    assert_string_equal(asked, "MFA code of arn:aws:iam::1:mfa/me: ");
    assert_true(
        cloud_saw(f, "&SerialNumber=arn%3Aaws%3Aiam%3A%3A1%3Amfa%2Fme&TokenCode=123456"));
}

/* Ours is an hour ahead: without the correction the signature is refused, and what comes has
 * already expired. */
static void test_a_role_is_assumed_with_a_wrong_clock(void **state)
{
    struct cloud_test *f = *state;
    awsenv_set(&f->e, "AWS_PROFILE", "role");
    awsenv_write(&f->e, ".aws/credentials",
                 "[base]\naws_access_key_id = AKIB\naws_secret_access_key = s\n");
    awsenv_write(&f->e, ".aws/config",
                 "[profile role]\nrole_arn = arn:r1\nsource_profile = base\n");
    f->cloud.clock = "Date: Fri, 02 Jan 2026 02:04:05 GMT\r\n";
    f->cloud.hour = "20260102T02";
    f->cloud.expires = "2026-01-02T02:34:05Z";
    cloud_good(f, "ASIA1");
    awsenv_set(&f->e, "AWS_DISABLE_CLOCK_SKEW_CORRECTION", "true");
    cloud_bad(f, "SignatureDoesNotMatch");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_role_is_assumed_with_a_wrong_clock, cloud_open,
                                        cloud_close),
        cmocka_unit_test_setup_teardown(test_token_is_renewed_shortly_before_its_end,
                                        cloud_open, cloud_close),
        cmocka_unit_test_setup_teardown(test_token_is_left_alone_while_it_is_good, cloud_open,
                                        cloud_close),
        cmocka_unit_test_setup_teardown(test_renewal_is_refused, cloud_open, cloud_close),
        cmocka_unit_test_setup_teardown(test_code_is_asked_for, cloud_open, cloud_close),
    };
    return cmocka_run_group_tests(tests, httpd_group, NULL);
}
