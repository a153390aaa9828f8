/* SPDX-License-Identifier: MIT */
/*
 * The handler sets a lock-free flag. A second signal ends the process, but only if it comes a
 * second or more after the first: timeout(1) and service managers send one to the process and one
 * to its group at the same moment, and mean one.
 */
#include "cmd/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { PATIENCE_MS = 1000 };

static atomic_bool stop_flag;
static atomic_llong first_ms;

static long long now_ms(void)
{
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (long long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void on_signal(int sig)
{
    int kept = errno;
    long long now = now_ms();
    if (!atomic_load(&stop_flag)) {
        atomic_store(&first_ms, now);
        atomic_store(&stop_flag, true);
    } else if (now - atomic_load(&first_ms) >= PATIENCE_MS) {
        struct sigaction sa;
        memset(&sa, 0, sizeof sa);
        sa.sa_handler = SIG_DFL;
        (void)sigaction(sig, &sa, NULL);
        (void)raise(sig); /* the signal is blocked in its handler, and takes effect on return */
    }
    errno = kept;
}

void signals_ignore_pipe(void)
{
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sa.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &sa, NULL);
}

const atomic_bool *signals_install(void)
{
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sa.sa_handler = on_signal;
    (void)sigaction(SIGINT, &sa, NULL);
    (void)sigaction(SIGTERM, &sa, NULL);
    signals_ignore_pipe();
    return &stop_flag;
}
