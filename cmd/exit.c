/* SPDX-License-Identifier: MIT */
/* Each error class has one exit status, whatever the command is. */
#include "cmd/exit.h"

#include "cmd/print/tell.h"

int exit_status(enum rc rc)
{
    switch (rc) {
    case RC_OK:
    case RC_AGAIN:
    case RC_END:
    case RC_NONE:
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
    int status = exit_status(rc);
    if (rc)
        tell_error(str_of(err->msg), status);
    return status;
}
