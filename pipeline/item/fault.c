/* SPDX-License-Identifier: MIT */
/* The detail quotes data, so it is made safe to print: one line, valid UTF-8. */
#include "pipeline/item/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pipeline/base/utf8.h"

static void make_printable(char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            text[i] = ' ';
    }
    size_t done = 0;
    while ((done += utf8_bad(str_make(text + done, n - done))) < n)
        text[done] = '?';
}

enum rc fault_set(struct fault *f, const char *reason, size_t position, const char *fmt, ...)
{
    f->reason = reason;
    f->position = position;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(f->detail, sizeof f->detail, fmt, ap);
    va_end(ap);
    size_t len = strlen(f->detail);
    if (n >= (int)sizeof f->detail)
        len = utf8_cut(str_make(f->detail, len), len - 1).n;
    f->detail[len] = '\0';
    make_printable(f->detail, len);
    return RC_DATA;
}
