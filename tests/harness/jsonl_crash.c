/* SPDX-License-Identifier: MIT */
/* Runs that end in the middle, as a crash ends them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/harness/jsonl_fixture.h"

struct countdown {
    atomic_int left; /* several threads meet points */
    const char *only;
};

static void point(void *ctx, const char *name)
{
    struct countdown *c = ctx;
    if ((!c->only || strcmp(c->only, name) == 0) && atomic_fetch_sub(&c->left, 1) == 1)
        _exit(FIX_CRASHED);
}

int fix_crash(const struct fix_run *run, int k, const char *only)
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        struct fix_result r;
        struct err err = {0};
        struct countdown c = {k, only};
        struct fix_run mine = *run;
        mine.opts.point = point;
        mine.opts.point_ctx = &c;
        enum rc rc = fix_export(&mine, &r, &err);
        if (rc)
            (void)fprintf(stderr, "%s\n", err.msg);
        _exit(rc ? FIX_FAILED : FIX_FINISHED);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}
