/* SPDX-License-Identifier: MIT */
/* Providers without a network: given keys, environment, chain, cache, programs. */
#include "pipeline/aws/creds/creds.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pipeline/aws/creds/process.h"
#include "pipeline/aws/sign/signer.h"
#include "tests/harness/awsenv.h"

static const int64_t MINUTE = INT64_C(60) * 1000000;

static void expect(const struct creds *c, const char *id, const char *secret, const char *token)
{
    assert_true(str_is(buf_view(&c->key_id), id));
    assert_true(str_is(buf_view(&c->secret), secret));
    assert_true(str_is(buf_view(&c->token), token));
}

static void test_environment(void **state)
{
    (void)state;
    struct awsenv e;
    struct aws_settings s;
    struct err err = {0};
    struct creds c;
    creds_init(&c);
    awsenv_open(&e);
    awsenv_settings(&e, NULL, &s);
    struct creds_provider *p = creds_env_new(&s);
    assert_int_equal(creds_get(p, &c, &err), RC_NONE);
    awsenv_set(&e, "AWS_ACCESS_KEY_ID", "AKID");
    assert_int_equal(creds_get(p, &c, &err), RC_AUTH);
    assert_string_equal(err.msg,
                        "environment: partial credentials, the secret access key is missing");
    awsenv_set(&e, "AWS_SECRET_ACCESS_KEY", "SECRET");
    assert_int_equal(creds_get(p, &c, &err), RC_OK);
    expect(&c, "AKID", "SECRET", "");
    assert_int_equal(c.expires_us, 0);
    awsenv_set(&e, "AWS_SECURITY_TOKEN", "OLD");
    assert_int_equal(creds_get(p, &c, &err), RC_OK);
    expect(&c, "AKID", "SECRET", "OLD");
    awsenv_set(&e, "AWS_SESSION_TOKEN", "NEW");
    awsenv_set(&e, "AWS_CREDENTIAL_EXPIRATION", "1970-01-01T00:00:01Z");
    assert_int_equal(creds_get(p, &c, &err), RC_OK);
    expect(&c, "AKID", "SECRET", "NEW");
    assert_int_equal(c.expires_us, 1000000);
    creds_free(p);
    creds_release(&c);
    aws_settings_release(&s);
    awsenv_close(&e);
}

/* A provider that the test commands. */
struct puppet {
    struct creds_provider base;
    enum rc rc;
    _Atomic int calls;
    int64_t expires_us;
    int *freed;
    pthread_mutex_t *hold; /* taken and let go inside get */
};

static enum rc puppet_get(struct creds_provider *p, struct creds *out, struct err *err)
{
    struct puppet *u = (struct puppet *)p;
    char id[32];
    (void)snprintf(id, sizeof id, "ID%d", ++u->calls);
    if (u->hold) {
        (void)pthread_mutex_lock(u->hold);
        (void)pthread_mutex_unlock(u->hold);
    }
    if (u->rc)
        return err_set(err, u->rc, "%s says no", p->name);
    enum rc rc = creds_set(out, str_of(id), STR("S"), STR(""), p->name, err);
    out->expires_us = u->expires_us;
    return rc;
}

static void puppet_free(struct creds_provider *p)
{
    struct puppet *u = (struct puppet *)p;
    if (u->freed)
        ++*u->freed;
    free(u);
}

static struct puppet *puppet_new(const char *name, enum rc rc, int *freed)
{
    struct puppet *u = calloc(1, sizeof *u);
    assert_non_null(u);
    u->base = (struct creds_provider){name, puppet_get, puppet_free};
    u->rc = rc;
    u->freed = freed;
    return u;
}

static void test_chain_asks_until_one_is_configured(void **state)
{
    (void)state;
    int freed = 0;
    struct err err = {0};
    struct creds c;
    creds_init(&c);
    struct puppet *a = puppet_new("a", RC_NONE, &freed), *b = puppet_new("b", RC_OK, &freed);
    struct puppet *z = puppet_new("z", RC_OK, &freed);
    struct creds_provider *list[] = {&a->base, &b->base, &z->base};
    struct creds_provider *chain = creds_chain_new(list, 3);
    assert_int_equal(creds_get(chain, &c, &err), RC_OK);
    assert_int_equal(a->calls, 1);
    assert_int_equal(z->calls, 0);
    b->rc = RC_AUTH; /* configured, but failing: no other identity is tried */
    assert_int_equal(creds_get(chain, &c, &err), RC_AUTH);
    assert_string_equal(err.msg, "b says no");
    assert_int_equal(z->calls, 0);
    b->rc = z->rc = RC_NONE;
    assert_int_equal(creds_get(chain, &c, &err), RC_AUTH);
    assert_non_null(strstr(err.msg, "no credentials found (a: a says no; b: b says no; z: "));
    creds_free(chain);
    assert_int_equal(freed, 3);
    list[0] = &puppet_new("a", RC_OK, &freed)->base;
    list[1] = NULL; /* out of memory while it was made */
    assert_null(creds_chain_new(list, 2));
    assert_int_equal(freed, 4);
    creds_release(&c);
}

static uint64_t version_of(struct creds_provider *cache)
{
    struct err err = {0};
    struct creds c;
    creds_init(&c);
    if (creds_get(cache, &c, &err))
        fail_msg("%s", err.msg);
    uint64_t version = c.version;
    creds_release(&c);
    return version;
}

struct cached {
    struct awsenv e;
    struct puppet *u; /* what the cache asks */
    struct creds_provider *cache;
};

static int cached_open(void **state)
{
    struct cached *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    *state = f;
    awsenv_open(&f->e);
    f->u = puppet_new("inner", RC_OK, NULL);
    f->cache = creds_cache_new(&f->u->base, &f->e.env, NULL);
    return 0;
}

static int cached_close(void **state)
{
    struct cached *f = *state;
    creds_free(f->cache);
    awsenv_close(&f->e);
    free(f);
    return 0;
}

static void test_cache_renews_before_expiry(void **state)
{
    struct cached *f = *state;
    int64_t start = f->e.now_us;
    f->u->expires_us = start + 60 * MINUTE;
    assert_int_equal(version_of(f->cache), 1);
    f->e.now_us = start + 45 * MINUTE - 1;
    assert_int_equal(version_of(f->cache), 1);
    assert_int_equal(f->u->calls, 1);
    f->u->rc = RC_TRANSIENT; /* early renewal fails: the old ones go on */
    f->e.now_us = start + 45 * MINUTE;
    assert_int_equal(version_of(f->cache), 1);
    assert_int_equal(f->u->calls, 2);
    assert_int_equal(version_of(f->cache), 1);
    assert_int_equal(f->u->calls, 2); /* not asked again at once */
    f->e.now_us += MINUTE / 6;
    assert_int_equal(version_of(f->cache), 1);
    assert_int_equal(f->u->calls, 3);
    struct err err = {0};
    struct creds c;
    creds_init(&c);
    f->e.now_us = start + 60 * MINUTE; /* expired */
    assert_int_equal(creds_get(f->cache, &c, &err), RC_TRANSIENT);
    assert_string_equal(err.msg, "inner says no");
    f->u->rc = RC_OK;
    f->u->expires_us = f->e.now_us + 60 * MINUTE;
    assert_int_equal(version_of(f->cache), 2);
    creds_release(&c);
}

static void test_cache_keeps_permanent_keys(void **state)
{
    struct cached *f = *state;
    assert_int_equal(version_of(f->cache), 1);
    f->e.now_us += 100000 * MINUTE;
    assert_int_equal(version_of(f->cache), 1);
    creds_cache_drop(f->cache, 0); /* of an older version: nothing to do */
    assert_int_equal(version_of(f->cache), 1);
    creds_cache_drop(f->cache, 1);
    assert_int_equal(version_of(f->cache), 2);
    assert_int_equal(f->u->calls, 2);
}

static void test_cache_with_short_lived_credentials(void **state)
{
    struct cached *f = *state;
    f->u->expires_us = f->e.now_us + 4 * MINUTE;
    assert_int_equal(version_of(f->cache), 1);
    assert_int_equal(version_of(f->cache), 1);
    f->e.now_us += 2 * MINUTE;
    f->u->expires_us = f->e.now_us + 4 * MINUTE;
    assert_int_equal(version_of(f->cache), 2);
    f->u->expires_us = f->e.now_us;
    f->e.now_us += 5 * MINUTE;
    struct err err = {0};
    struct creds c;
    creds_init(&c);
    assert_int_equal(creds_get(f->cache, &c, &err), RC_AUTH);
    assert_string_equal(err.msg, "the credentials that were given have already expired");
    creds_release(&c);
}

static void test_short_lived_credentials_are_kept_for_half_their_life(void **state)
{
    struct cached *f = *state;
    struct err err = {0};
    for (int life = 1; life <= 20; life++) {
        f->u->expires_us = f->e.now_us + life * MINUTE;
        creds_cache_drop(f->cache, version_of(f->cache));
        int calls = version_of(f->cache) ? f->u->calls : 0;
        for (int i = 0; i < life * 6 - 1; i++) { /* every five seconds */
            f->e.now_us += MINUTE / 12;
            assert_int_equal(creds_cache_keep(f->cache, &err), RC_OK);
        }
        assert_int_equal(f->u->calls, calls);
        f->e.now_us += MINUTE / 12;
        assert_int_equal(creds_cache_keep(f->cache, &err), RC_OK);
        assert_int_equal(f->u->calls, calls + 1);
    }
}

static void *ask(void *cache)
{
    return (void *)(uintptr_t)version_of(cache);
}

static void test_cache_asks_once_for_many_threads(void **state)
{
    struct cached *f = *state;
    enum { N = 8 };
    pthread_t threads[N];
    pthread_mutex_t hold = PTHREAD_MUTEX_INITIALIZER;
    f->u->hold = &hold;
    (void)pthread_mutex_lock(&hold);
    for (int i = 0; i < N; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, f->cache), 0);
    (void)pthread_mutex_unlock(&hold);
    for (int i = 0; i < N; i++) {
        void *version = NULL;
        assert_int_equal(pthread_join(threads[i], &version), 0);
        assert_int_equal((uintptr_t)version, 1);
    }
    assert_int_equal(f->u->calls, 1);
}

static void test_cache_is_kept_fresh_ahead_of_time(void **state)
{
    struct cached *f = *state;
    struct err err = {0};
    f->u->expires_us = f->e.now_us + 60 * MINUTE;
    assert_int_equal(creds_cache_keep(f->cache, &err), RC_OK);
    assert_int_equal(creds_cache_keep(f->cache, &err), RC_OK);
    assert_int_equal(f->u->calls, 1);
    f->e.now_us += 40 * MINUTE;
    f->u->expires_us = f->e.now_us + 60 * MINUTE;
    assert_int_equal(creds_cache_keep(f->cache, &err), RC_OK);
    assert_int_equal(f->u->calls, 2);
    f->e.now_us += 40 * MINUTE;
    f->u->rc = RC_TRANSIENT;
    assert_int_equal(creds_cache_keep(f->cache, &err), RC_TRANSIENT);
    assert_int_equal(version_of(f->cache), 2);
}

static void test_command_lines_are_cut_like_a_shell_does(void **state)
{
    (void)state;
    struct err err = {0};
    struct buf text;
    char *w[CREDS_PROCESS_WORDS + 1];
    buf_init(&text, 4096);
    struct str line = STR("  \"/opt/my tool/x\" --a='b c' d\\ e '' \"q\\\"r\" '\\' $HOME ~ ");
    assert_int_equal(creds_process_split(line, &text, w, CREDS_PROCESS_WORDS + 1, &err), RC_OK);
    static const char *const want[] = {"/opt/my tool/x", "--a=b c", "d e",   "",
                                       "q\"r",           "\\",      "$HOME", "~"};
    for (size_t i = 0; i < 8; i++)
        assert_string_equal(w[i], want[i]);
    assert_null(w[8]);
    buf_clear(&text);
    assert_int_equal(creds_process_split(STR("a 'b"), &text, w, 10, &err), RC_USAGE);
    assert_int_equal(creds_process_split(STR("  "), &text, w, 10, &err), RC_USAGE);
    assert_int_equal(creds_process_split(STR("a b c d"), &text, w, 3, &err), RC_USAGE);
    buf_release(&text);
}

static void test_credential_process(void **state)
{
    (void)state;
    struct err err = {0};
    struct creds c;
    atomic_bool stop = false;
    struct aws_settings settings = {.http = {.stop = &stop}, .env = &env_real};
    creds_init(&c);
    struct str good = STR("printf '{\"Version\":1,\"AccessKeyId\":\"A\",\"SecretAccessKey\":"
                          "\"B\",\"SessionToken\":\"C\",\"Expiration\":"
                          "\"1970-01-01T00:00:02Z\"}'");
    assert_int_equal(creds_process_get(&settings, good, &c, &err), RC_OK);
    expect(&c, "A", "B", "C");
    assert_int_equal(c.expires_us, 2000000);
    struct str bad = STR("sh -c 'echo SECRET; echo no login >&2; exit 3'");
    assert_int_equal(creds_process_get(&settings, bad, &c, &err), RC_AUTH);
    assert_string_equal(err.msg, "credential_process: \"sh\" ended with status 3: no login");
    assert_int_equal(creds_process_get(&settings, STR("echo SECRET"), &c, &err), RC_AUTH);
    assert_null(strstr(err.msg, "SECRET"));
    assert_int_equal(creds_process_get(&settings, STR("/does/not/exist"), &c, &err), RC_AUTH);
    atomic_store(&stop, true); /* it is not waited for, and ended */
    assert_int_equal(creds_process_get(&settings, STR("sleep 1000"), &c, &err), RC_CANCEL);
    creds_release(&c);
}

static void test_signing_key_is_made_once_a_day_and_version(void **state)
{
    struct cached *f = *state;
    struct err err = {0};
    struct signer s;
    struct signature g;
    struct signer_request r = {.method = STR("POST"), .url = STR("http://h/")};
    signer_init(&s, f->cache, "us-east-1", "dynamodb");
    signer_signature_init(&g);
    int64_t day = INT64_C(86400) * 1000000;
    int64_t times[] = {0, 5, day - 1, day, day + 1};
    uint64_t derived[] = {1, 1, 1, 2, 2};
    for (int i = 0; i < 5; i++) {
        assert_int_equal(signer_sign(&s, &r, times[i], &g, &err), RC_OK);
        assert_int_equal(s.derived, derived[i]);
    }
    creds_cache_drop(f->cache, g.version);
    assert_int_equal(signer_sign(&s, &r, day, &g, &err), RC_OK);
    assert_int_equal(s.derived, 3);
    assert_non_null(strstr(buf_cstr(&g.authorization), "Credential=ID2/19700102/us-east-1/"));
    signer_signature_release(&g);
    signer_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_chain_asks_until_one_is_configured),
        cmocka_unit_test_setup_teardown(test_cache_renews_before_expiry, cached_open,
                                        cached_close),
        cmocka_unit_test_setup_teardown(test_cache_keeps_permanent_keys, cached_open,
                                        cached_close),
        cmocka_unit_test_setup_teardown(test_cache_with_short_lived_credentials, cached_open,
                                        cached_close),
        cmocka_unit_test_setup_teardown(
            test_short_lived_credentials_are_kept_for_half_their_life, cached_open,
            cached_close),
        cmocka_unit_test_setup_teardown(test_cache_asks_once_for_many_threads, cached_open,
                                        cached_close),
        cmocka_unit_test_setup_teardown(test_cache_is_kept_fresh_ahead_of_time, cached_open,
                                        cached_close),
        cmocka_unit_test(test_command_lines_are_cut_like_a_shell_does),
        cmocka_unit_test(test_credential_process),
        cmocka_unit_test_setup_teardown(test_signing_key_is_made_once_a_day_and_version,
                                        cached_open, cached_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
