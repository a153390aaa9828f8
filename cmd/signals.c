/* SPDX-License-Identifier: MIT */
/* The handler only sets a lock-free flag; resetting the disposition makes the second signal final. */
#include "cmd/signals.h"

#include <signal.h>
#include <stdbool.h>
#include <string.h>

static atomic_bool stop_flag;

static void on_signal(int sig)
{
    (void)sig;
    atomic_store(&stop_flag, true);
}

const atomic_bool *signals_install(void)
{
    struct sigaction sa;
    memset(&sa, 0, sizeof sa);
    sa.sa_handler = on_signal;
    sa.sa_flags = (int)SA_RESETHAND;
    (void)sigaction(SIGINT, &sa, NULL);
    (void)sigaction(SIGTERM, &sa, NULL);
    sa.sa_flags = 0;
    sa.sa_handler = SIG_IGN;
    (void)sigaction(SIGPIPE, &sa, NULL);
    return &stop_flag;
}
