/* SPDX-License-Identifier: MIT */
/* Error texts are cut, never overrun: a message that does not fit loses its end. */
#include "pipeline/base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void append(struct err *err, const char *fmt, va_list ap)
{
    size_t len = strlen(err->msg);
    (void)vsnprintf(err->msg + len, sizeof err->msg - len, fmt, ap);
}

static void append_text(struct err *err, const char *text)
{
    size_t len = strlen(err->msg);
    (void)snprintf(err->msg + len, sizeof err->msg - len, "%s", text);
}

enum rc err_set(struct err *err, enum rc rc, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    err->rc = rc;
    (void)vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    return rc;
}

enum rc err_errno(struct err *err, enum rc rc, int code, const char *fmt, ...)
{
    char text[128] = "";
    va_list ap;
    va_start(ap, fmt);
    err->rc = rc;
    err->msg[0] = '\0';
    append(err, fmt, ap);
    va_end(ap);
    if (strerror_r(code, text, sizeof text) != 0)
        (void)snprintf(text, sizeof text, "error %d", code);
    append_text(err, ": ");
    append_text(err, text);
    return rc;
}

enum rc err_context(struct err *err, const char *fmt, ...)
{
    struct err old = *err;
    va_list ap;
    va_start(ap, fmt);
    err->msg[0] = '\0';
    append(err, fmt, ap);
    va_end(ap);
    append_text(err, ": ");
    append_text(err, old.msg);
    return err->rc;
}

enum rc err_hint(struct err *err, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    append_text(err, "\nhint: ");
    append(err, fmt, ap);
    va_end(ap);
    return err->rc;
}

enum rc err_nomem(struct err *err)
{
    return err_set(err, RC_NOMEM, "out of memory");
}

void err_clear(struct err *err)
{
    err->rc = RC_OK;
    err->msg[0] = '\0';
}
