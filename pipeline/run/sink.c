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

void sink_note_repeats(struct sink_report *report, const struct key_repeats *repeats)
{
    struct buf line;
    buf_init(&line, 4096);
    for (uint32_t i = 0; repeats->schema && i < repeats->schema->ntables; i++) {
        buf_clear(&line);
        key_repeats_line(repeats, i, !report->no_examples, &line);
        if (line.len)
            sink_note(report, "%s", buf_cstr(&line));
    }
    buf_release(&line);
}
