/* SPDX-License-Identifier: MIT */
/* What a program that prints credentials gets of ours, and how long it is waited for. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pipeline/aws/creds/creds_private.h"
#include "pipeline/aws/creds/process.h"

/* A clock that goes on by so much each time it is read. */
static int64_t ticking(void *ctx)
{
    int64_t *clock = ctx;
    clock[0] += clock[1];
    return clock[0];
}

static enum rc get(const char *command, int64_t tick_us, struct creds *c, struct err *err)
{
    static atomic_bool stop;
    int64_t clock[2] = {0, tick_us};
    struct env env = {.mono_us = ticking, .ctx = clock};
    struct aws_settings settings = {.http = {.stop = &stop}, .env = &env};
    creds_init(c);
    *err = (struct err){0};
    return creds_process_get(&settings, str_of(command), c, err);
}

static void refused(const char *command, int64_t tick_us, const char *said)
{
    struct creds c;
    struct err err;
    assert_int_equal(get(command, tick_us, &c, &err), RC_AUTH);
    assert_non_null(strstr(err.msg, said));
    creds_release(&c);
}

/* Credentials whose key says what the command found. */
#define KEY_OF(found)                                                                          \
    "sh -c 'printf \"{\\\"Version\\\":1,\\\"AccessKeyId\\\":\\\"%s\\\","                       \
    "\\\"SecretAccessKey\\\":\\\"B\\\"}\" \"" found "\"'"

static void finds(const char *command, const char *want)
{
    struct creds c;
    struct err err;
    enum rc rc = get(command, 0, &c, &err);
    assert_string_equal(err.msg, "");
    assert_int_equal(rc, RC_OK);
    assert_string_equal(buf_cstr(&c.key_id), want);
    creds_release(&c);
}

static void test_our_secrets_are_not_its(void **state)
{
    (void)state;
    static char path[] = "PATH=/usr/bin:/bin", mask[] = "RENORM_MASK_KEY=hidden",
                password[] = "PGPASSWORD=hidden", other[] = "PGPASSWORD_FILE=seen";
    char *given[] = {path, mask, password, other, NULL};
    char **old = environ;
    environ = given;
    finds(KEY_OF("<$RENORM_MASK_KEY$PGPASSWORD$PGPASSWORD_FILE>"), "<seen>");
    environ = old;
}

static void test_descriptors_are_not_inherited(void **state)
{
    (void)state;
    int fd = open("/dev/null", O_RDONLY);
    assert_int_equal(dup2(fd, 77), 77);
    finds(KEY_OF("$(test -e /proc/self/fd/77 && echo open || echo closed)"), "closed");
    (void)close(77);
    (void)close(fd);
}

static void test_standard_input_is_not_read(void **state)
{
    (void)state;
    int ends[2];
    int old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "items\n", 6), 6);
    (void)close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    finds(KEY_OF("<$(cat)>"), "<>");
    (void)dup2(old, STDIN_FILENO);
    (void)close(ends[0]);
    (void)close(old);
}

static void test_output_and_time_have_an_end(void **state)
{
    (void)state;
    refused("yes", 0, "prints more than");
    refused("sleep 1000", 30000000, "has not ended after");
    refused("sh -c 'exec >&- 2>&-; sleep 1000'", 1000000, "has not ended after");
    refused("sh -c 'yes >&2'", 10000000, "has not ended after");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_our_secrets_are_not_its),
        cmocka_unit_test(test_descriptors_are_not_inherited),
        cmocka_unit_test(test_standard_input_is_not_read),
        cmocka_unit_test(test_output_and_time_have_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
