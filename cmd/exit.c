/* SPDX-License-Identifier: MIT */
/* Error classes to exit statuses: the same numbers everywhere. */
#include "cmd/exit.h"

#include <stdio.h>

int exit_status(enum rc rc)
{
    switch (rc) {
    case RC_OK:
    case RC_AGAIN:
    case RC_END:
        return EXIT_ALL_WELL;
    case RC_FINISHED_BAD:
        return EXIT_FINISHED_BAD;
    case RC_USAGE:
        return EXIT_USAGE;
    case RC_NOMEM:
    case RC_THROTTLE:
    case RC_TRANSIENT:
        return EXIT_RESUMABLE;
    case RC_CANCEL:
        return EXIT_INTERRUPTED;
    case RC_AUTH:
    case RC_DATA:
    case RC_SINK:
    case RC_SOURCE:
        return EXIT_HOPELESS;
    }
    return EXIT_HOPELESS;
}

int exit_tell(enum rc rc, const struct err *err)
{
    if (rc != RC_OK)
        (void)fprintf(stderr, "renorm: %s\n", err->msg[0] ? err->msg : "out of memory");
    return exit_status(rc);
}
