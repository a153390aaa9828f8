/* SPDX-License-Identifier: MIT */
/* Signals that come at once are one; a later one is final. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/signals.h"

static double seconds(void)
{
    struct timespec t;
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &t), 0);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* A process that answers each signal with a byte, until one is final. */
static pid_t start(int *answers)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        const atomic_bool *stop = signals_install();
        char ready = '.';
        sigset_t none, both;
        (void)sigemptyset(&none);
        (void)sigemptyset(&both);
        (void)sigaddset(&both, SIGINT);
        (void)sigaddset(&both, SIGTERM);
        (void)pthread_sigmask(SIG_BLOCK, &both,
                              NULL); /* they are taken where it waits for them */
        (void)alarm(60);
        while (write(ends[1], &ready, 1) == 1) {
            (void)pselect(0, NULL, NULL, NULL, NULL, &none);
            ready = atomic_load(stop) ? '!' : '?';
        }
        _exit(1);
    }
    (void)close(ends[1]);
    *answers = ends[0];
    return pid;
}

static char answer(int answers)
{
    char c = 0;
    return read(answers, &c, 1) == 1 ? c : 0;
}

static void check(int first, int second)
{
    int answers = -1, status = 0;
    pid_t pid = start(&answers);
    assert_int_equal(answer(answers), '.');
    assert_int_equal(kill(pid, first), 0);
    double began = seconds();
    assert_int_equal(answer(answers), '!');
    while (waitpid(pid, &status, WNOHANG) == 0) { /* until one of them is final */
        (void)kill(pid, second);
        (void)nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    assert_true(seconds() - began >= 0.99);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), second);
    (void)close(answers);
}

static void test_a_second_signal_is_final_when_it_comes_later(void **state)
{
    (void)state;
    check(SIGTERM, SIGTERM);
    check(SIGINT, SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_second_signal_is_final_when_it_comes_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
