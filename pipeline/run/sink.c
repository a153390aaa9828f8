/* SPDX-License-Identifier: MIT */
/* Notes are for people: what finds no room is cut. */
#include "pipeline/run/sink.h"

#include <stdarg.h>
#include <stdio.h>

void sink_note(struct sink_report *report, const char *fmt, ...)
{
    size_t n = strlen(report->note);
    va_list args;
    if (n && n + 1 < sizeof report->note) {
        report->note[n++] = '\n';
        report->note[n] = '\0';
    }
    va_start(args, fmt);
    (void)vsnprintf(report->note + n, sizeof report->note - n, fmt, args);
    va_end(args);
}
