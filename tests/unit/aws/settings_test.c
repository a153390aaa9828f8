/* SPDX-License-Identifier: MIT */
/* Which profile, region and address: options before variables before files. */
#include "pipeline/aws/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/harness/awsenv.h"
#include "tests/harness/httpd.h"

static void host_is(enum aws_service service, const char *region, bool fips, bool dual,
                    const char *want)
{
    struct err err = {0};
    struct buf out;
    buf_init(&out, 512);
    assert_int_equal(endpoint_host(service, str_of(region), fips, dual, &out, &err), RC_OK);
    assert_string_equal(buf_cstr(&out), want);
    buf_release(&out);
}

static void test_hosts_of_all_partitions(void **state)
{
    (void)state;
    host_is(AWS_DYNAMODB, "us-east-1", false, false, "dynamodb.us-east-1.amazonaws.com");
    host_is(AWS_DYNAMODB, "us-east-1", true, false, "dynamodb-fips.us-east-1.amazonaws.com");
    host_is(AWS_DYNAMODB, "us-east-1", false, true, "dynamodb.us-east-1.api.aws");
    host_is(AWS_DYNAMODB, "us-east-1", true, true, "dynamodb-fips.us-east-1.api.aws");
    host_is(AWS_DYNAMODB, "cn-north-1", false, false, "dynamodb.cn-north-1.amazonaws.com.cn");
    host_is(AWS_DYNAMODB, "cn-north-1", false, true,
            "dynamodb.cn-north-1.api.amazonwebservices.com.cn");
    host_is(AWS_DYNAMODB, "us-gov-west-1", true, false, "dynamodb.us-gov-west-1.amazonaws.com");
    host_is(AWS_DYNAMODB, "us-gov-west-1", true, true, "dynamodb-fips.us-gov-west-1.api.aws");
    host_is(AWS_DYNAMODB, "eusc-de-east-1", false, false,
            "dynamodb.eusc-de-east-1.amazonaws.eu");
    host_is(AWS_DYNAMODB, "us-iso-east-1", false, false, "dynamodb.us-iso-east-1.c2s.ic.gov");
    host_is(AWS_DYNAMODB, "us-isob-east-1", false, false,
            "dynamodb.us-isob-east-1.sc2s.sgov.gov");
    host_is(AWS_DYNAMODB, "mars-north-9", false, false, "dynamodb.mars-north-9.amazonaws.com");
    host_is(AWS_STREAMS, "us-east-1", false, true, "streams-dynamodb.us-east-1.api.aws");
    host_is(AWS_STS, "eu-west-1", false, false, "sts.eu-west-1.amazonaws.com");
    host_is(AWS_STS, "us-gov-east-1", true, false, "sts.us-gov-east-1.amazonaws.com");
    host_is(AWS_SSO, "us-east-1", false, false, "portal.sso.us-east-1.amazonaws.com");
    host_is(AWS_S3, "eu-west-1", false, true, "s3.dualstack.eu-west-1.amazonaws.com");
    host_is(AWS_S3, "eu-west-1", true, true, "s3-fips.dualstack.eu-west-1.amazonaws.com");
    struct err err = {0};
    struct buf out;
    buf_init(&out, 512);
    assert_int_equal(endpoint_host(AWS_STS, STR("a/b"), false, false, &out, &err), RC_USAGE);
    buf_release(&out);
}

static void region_is(struct awsenv *e, const struct aws_options *o, const char *want)
{
    struct aws_settings s;
    awsenv_settings(e, o, &s);
    assert_string_equal(s.region, want);
    aws_settings_release(&s);
}

static void test_region_by_precedence(void **state)
{
    (void)state;
    struct awsenv e;
    struct err err = {0};
    awsenv_open(&e);
    region_is(&e, NULL, "");
    awsenv_write(&e, ".aws/config", "[default]\nregion = r1\n[profile p]\nregion = r2\n");
    region_is(&e, NULL, "r1");
    awsenv_set(&e, "AWS_PROFILE", "p");
    region_is(&e, NULL, "r2");
    region_is(&e, &(struct aws_options){.profile = "default"}, "r1");
    awsenv_set(&e, "AWS_DEFAULT_REGION", "r3");
    region_is(&e, NULL, "r3");
    awsenv_set(&e, "AWS_REGION", "r4");
    region_is(&e, NULL, "r4");
    region_is(&e, &(struct aws_options){.region = "r5"}, "r5");
    awsenv_set(&e, "AWS_PROFILE", "nobody");
    struct aws_settings s;
    struct aws_options none = {0};
    assert_int_equal(aws_settings_init(&s, &none, &e.vars, &e.env, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "there is no profile \"nobody\"\nhint: "));
    awsenv_close(&e);
}

static void test_region_is_needed(void **state)
{
    (void)state;
    struct awsenv e;
    struct err err = {0};
    struct aws_settings s;
    awsenv_open(&e);
    awsenv_settings(&e, NULL, &s);
    assert_int_equal(aws_settings_need_region(&s, &err), RC_USAGE);
    assert_string_equal(err.msg, "no region is set\nhint: set AWS_REGION, or \"region\" in the "
                                 "profile \"default\"");
    aws_settings_release(&s);
    awsenv_close(&e);
}

static void url_is(struct awsenv *e, const struct aws_options *o, enum aws_service service,
                   const char *want)
{
    struct aws_settings s;
    struct endpoint at;
    struct err err = {0};
    awsenv_settings(e, o, &s);
    if (endpoint_resolve(&s, service, NULL, &at, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(at.url, want);
    aws_settings_release(&s);
}

static void test_endpoint_by_precedence(void **state)
{
    (void)state;
    struct awsenv e;
    awsenv_open(&e);
    awsenv_set(&e, "AWS_REGION", "eu-west-1");
    url_is(&e, NULL, AWS_DYNAMODB, "https://dynamodb.eu-west-1.amazonaws.com/");
    awsenv_write(&e, ".aws/config",
                 "[default]\nendpoint_url = http://all\n[profile p]\nservices = local\n"
                 "endpoint_url = http://other\n"
                 "[services local]\ndynamodb =\n  endpoint_url = http://ddb:1/base\n");
    url_is(&e, NULL, AWS_DYNAMODB, "http://all/");
    awsenv_set(&e, "AWS_PROFILE", "p");
    url_is(&e, NULL, AWS_DYNAMODB, "http://ddb:1/base");
    url_is(&e, NULL, AWS_STS, "http://other/");
    awsenv_set(&e, "AWS_ENDPOINT_URL", "http://var:2");
    url_is(&e, NULL, AWS_DYNAMODB, "http://var:2/");
    awsenv_set(&e, "AWS_ENDPOINT_URL_DYNAMODB", "http://own:3/");
    url_is(&e, NULL, AWS_DYNAMODB, "http://own:3/");
    url_is(&e, NULL, AWS_STS, "http://var:2/");
    url_is(&e, &(struct aws_options){.endpoint = "http://opt:4"}, AWS_DYNAMODB,
           "http://opt:4/");
    awsenv_set(&e, "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "true");
    url_is(&e, NULL, AWS_DYNAMODB, "https://dynamodb.eu-west-1.amazonaws.com/");
    url_is(&e, &(struct aws_options){.endpoint = "http://opt:4"}, AWS_DYNAMODB,
           "http://opt:4/");
    awsenv_set(&e, "AWS_USE_FIPS_ENDPOINT", "true");
    awsenv_set(&e, "AWS_USE_DUALSTACK_ENDPOINT", "true");
    url_is(&e, NULL, AWS_DYNAMODB, "https://dynamodb-fips.eu-west-1.api.aws/");
    awsenv_set(&e, "AWS_REGION", "local");
    url_is(&e, NULL, AWS_DYNAMODB, "http://localhost:8000/");
    awsenv_close(&e);
}

static void test_bad_endpoint_is_refused(void **state)
{
    (void)state;
    struct awsenv e;
    struct aws_settings s;
    struct endpoint at;
    struct err err = {0};
    awsenv_open(&e);
    awsenv_settings(&e, &(struct aws_options){.endpoint = "localhost:8000"}, &s);
    assert_int_equal(endpoint_resolve(&s, AWS_DYNAMODB, NULL, &at, &err), RC_USAGE);
    assert_non_null(strstr(err.msg, "\"localhost:8000\" is no endpoint\nhint: "));
    aws_settings_release(&s);
    awsenv_close(&e);
}

static void test_ca_bundle_and_flags_of_the_profile(void **state)
{
    (void)state;
    struct awsenv e;
    struct aws_settings s;
    awsenv_open(&e);
    awsenv_write(&e, "conf",
                 "[default]\nca_bundle = /a.pem\nuse_fips_endpoint = true\n"
                 "use_dualstack_endpoint = false\n");
    awsenv_set(&e, "AWS_CONFIG_FILE", "$HOME/conf");
    awsenv_settings(&e, NULL, &s);
    assert_string_equal(s.http.ca_bundle, "/a.pem");
    assert_true(s.fips);
    assert_false(s.dualstack);
    aws_settings_release(&s);
    awsenv_set(&e, "AWS_CA_BUNDLE", "/b.pem");
    awsenv_set(&e, "AWS_USE_FIPS_ENDPOINT", "false");
    awsenv_settings(&e, NULL, &s);
    assert_string_equal(s.http.ca_bundle, "/b.pem");
    assert_false(s.fips);
    aws_settings_release(&s);
    /* that of Python's requests comes last */
    awsenv_set(&e, "REQUESTS_CA_BUNDLE", "/c.pem");
    awsenv_settings(&e, NULL, &s);
    assert_string_equal(s.http.ca_bundle, "/b.pem");
    aws_settings_release(&s);
    awsenv_set(&e, "AWS_CA_BUNDLE", NULL);
    awsenv_set(&e, "AWS_CONFIG_FILE", NULL);
    awsenv_settings(&e, NULL, &s);
    assert_string_equal(s.http.ca_bundle, "/c.pem");
    aws_settings_release(&s);
    awsenv_close(&e);
}

static void proxy_is(struct awsenv *e, const char *want)
{
    struct aws_settings s;
    awsenv_settings(e, NULL, &s);
    const char *got = s.http.http_proxy ? s.http.http_proxy : "";
    assert_string_equal(got, want);
    aws_settings_release(&s);
}

static void test_proxy_in_capitals(void **state)
{
    (void)state;
    struct awsenv e;
    awsenv_open(&e);
    proxy_is(&e, "");
    awsenv_set(&e, "HTTP_PROXY", "http://p:1");
    proxy_is(&e, "http://p:1");
    awsenv_set(&e, "REQUEST_METHOD", "GET"); /* a web server's child: anybody may have set it */
    proxy_is(&e, "");
    awsenv_set(&e, "REQUEST_METHOD", NULL);
    awsenv_set(&e, "http_proxy", ""); /* libcurl's own business */
    proxy_is(&e, "");
    awsenv_close(&e);
}

static void metadata(const struct httpd_request *r, struct httpd_reply *reply, void *ctx)
{
    (void)ctx;
    bool token = str_is(httpd_header(r, "x-aws-ec2-metadata-token"), "TOKEN");
    if (str_is(r->method, "PUT") && str_is(r->target, "/latest/api/token")) {
        httpd_answer(reply, 200, "", STR("TOKEN"));
    } else if (token && str_is(r->target, "/latest/meta-data/placement/region")) {
        httpd_answer(reply, 200, "", STR("ap-south-2"));
    } else {
        httpd_answer(reply, 401, "", STR(""));
    }
}

static void test_region_of_the_instance(void **state)
{
    (void)state;
    struct awsenv e;
    struct httpd *server = httpd_new(metadata, NULL);
    assert_non_null(server);
    awsenv_open(&e);
    awsenv_set(&e, "AWS_EC2_METADATA_DISABLED", NULL);
    awsenv_set(&e, "AWS_EC2_METADATA_SERVICE_ENDPOINT", httpd_url(server));
    awsenv_set(&e, "AWS_METADATA_SERVICE_TIMEOUT", "60");
    region_is(&e, NULL, "ap-south-2");
    int asked = httpd_requests(server);
    awsenv_set(&e, "AWS_REGION", "eu-west-1");
    region_is(&e, NULL, "eu-west-1");
    assert_int_equal(httpd_requests(server), asked);
    httpd_free(server);
    awsenv_close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hosts_of_all_partitions),
        cmocka_unit_test(test_region_by_precedence),
        cmocka_unit_test(test_region_is_needed),
        cmocka_unit_test(test_endpoint_by_precedence),
        cmocka_unit_test(test_bad_endpoint_is_refused),
        cmocka_unit_test(test_ca_bundle_and_flags_of_the_profile),
        cmocka_unit_test(test_proxy_in_capitals),
        cmocka_unit_test(test_region_of_the_instance),
    };
    return cmocka_run_group_tests(tests, httpd_group, NULL);
}
