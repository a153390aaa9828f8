/* SPDX-License-Identifier: MIT */
/* Plain tables; the home folder lies below the system's folder for temporary files. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "tests/harness/awsenv.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static int64_t now_of(void *ctx)
{
    return ((struct awsenv *)ctx)->now_us;
}

static void sleep_of(void *ctx, int64_t us)
{
    struct awsenv *e = ctx;
    e->now_us += us;
    e->slept_us += us;
}

static uint64_t half_of(void *ctx)
{
    (void)ctx;
    return UINT64_C(1) << 63;
}

static const char *get_of(void *ctx, const char *name)
{
    struct awsenv *e = ctx;
    for (int i = 0; i < AWSENV_VARS; i++) {
        if (e->names[i][0] && strcmp(e->names[i], name) == 0)
            return e->values[i];
    }
    return NULL;
}

void awsenv_set(struct awsenv *e, const char *name, const char *value)
{
    int slot = -1;
    for (int i = 0; i < AWSENV_VARS && slot < 0; i++) {
        if (!e->names[i][0])
            slot = i;
    }
    for (int i = 0; i < AWSENV_VARS; i++) {
        if (strcmp(e->names[i], name) == 0)
            slot = i;
    }
    assert_true(slot >= 0);
    (void)snprintf(e->names[slot], sizeof e->names[slot], "%s", value ? name : "");
    (void)snprintf(e->values[slot], sizeof e->values[slot], "%s", value ? value : "");
}

void awsenv_open(struct awsenv *e)
{
    memset(e, 0, sizeof *e);
    e->now_us = INT64_C(1767323045) * 1000000;
    e->env = (struct env){
        .now_us = now_of, .mono_us = now_of, .sleep_us = sleep_of, .rand = half_of, .ctx = e};
    e->vars = (struct vars){.get = get_of, .ctx = e};
    const char *tmp = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe) */
    (void)snprintf(e->home, sizeof e->home, "%.40s/renorm.XXXXXX", tmp ? tmp : "/tmp");
    assert_non_null(mkdtemp(e->home));
    awsenv_set(e, "HOME", e->home);
    awsenv_set(e, "AWS_EC2_METADATA_DISABLED", "true");
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
    (void)st, (void)flag, (void)ftw;
    return remove(path);
}

void awsenv_close(struct awsenv *e)
{
    /* NOLINTNEXTLINE(concurrency-mt-unsafe) */
    assert_int_equal(nftw(e->home, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

void awsenv_write(struct awsenv *e, const char *path, const char *text)
{
    char full[512];
    int n = snprintf(full, sizeof full, "%s/%s", e->home, path);
    assert_in_range(n, 1, sizeof full - 1);
    for (char *p = full + strlen(e->home) + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        (void)mkdir(full, 0700);
        *p = '/';
    }
    FILE *f = fopen(full, "wb");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

void awsenv_settings(struct awsenv *e, const struct aws_options *options,
                     struct aws_settings *out)
{
    struct err err = {0};
    struct aws_options none = {0};
    if (aws_settings_init(out, options ? options : &none, &e->vars, &e->env, &err))
        fail_msg("%s", err.msg);
}
