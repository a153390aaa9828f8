/* SPDX-License-Identifier: MIT */
/* Messages quote names and answers: each line is made fit for a terminal, or for JSON. */
#include "cmd/print/tell.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "cmd/print/plain.h"
#include "pipeline/base/env.h"
#include "pipeline/base/json.h"

static const char PREFIX[] = "renorm: ";

static bool as_json;

void tell_as_json(bool json)
{
    as_json = json;
}

bool tell_is_json(void)
{
    return as_json;
}

void tell_json_string(struct buf *out, struct str text)
{
    struct buf clean;
    buf_init(&clean, BUF_NO_LIMIT);
    plain_utf8(&clean, text);
    json_add_string(out, buf_view(&clean));
    if (clean.rc)
        out->rc = clean.rc;
    buf_release(&clean);
}

static void write_out(struct str text)
{
    (void)fflush(stdout);
    (void)fwrite(text.p, 1, text.n, stderr);
}

void tell_stamp(char out[TELL_STAMP_SIZE], int64_t us)
{
    time_t seconds = (time_t)(us / 1000000);
    struct tm t = {0};
    char day[TELL_STAMP_SIZE];
    (void)gmtime_r(&seconds, &t);
    (void)strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &t);
    (void)snprintf(out, TELL_STAMP_SIZE, "%.23s.%03dZ", day, (int)(us / 1000 % 1000));
}

void tell_event_begin(struct buf *out, const char *name)
{
    buf_init(out, BUF_NO_LIMIT);
    char stamp[TELL_STAMP_SIZE];
    tell_stamp(stamp, env_real.now_us(NULL));
    buf_addf(out, "{\"event\":\"%s\",\"time\":\"%s\"", name, stamp);
}

void tell_event_end(struct buf *event)
{
    buf_puts(event, "}\n");
    write_out(event->rc ? STR("{\"event\":\"error\",\"message\":\"out of memory\"}\n")
                        : buf_view(event));
    buf_release(event);
}

static void event(const char *name, struct str message)
{
    struct buf out;
    tell_event_begin(&out, name);
    buf_puts(&out, ",\"message\":");
    tell_json_string(&out, message);
    tell_event_end(&out);
}

/* Prints `prefix` and the text; line breaks stay. */
static void print(const char *prefix, struct str text)
{
    struct buf out;
    buf_init(&out, BUF_NO_LIMIT);
    buf_puts(&out, prefix);
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, STR("\n"), at);
        plain_add(&out, str_make(text.p + at, end - at), end - at);
        if (end < text.n)
            buf_putc(&out, '\n');
        at = end + 1;
    }
    buf_putc(&out, '\n');
    write_out(out.rc ? STR("renorm: out of memory\n") : buf_view(&out));
    buf_release(&out);
}

void tell_warning(const char *fmt, ...)
{
    struct buf text;
    va_list ap;
    buf_init(&text, BUF_NO_LIMIT);
    va_start(ap, fmt);
    buf_vaddf(&text, fmt, ap);
    va_end(ap);
    if (as_json) {
        event("warning", buf_view(&text));
    } else {
        print(PREFIX, buf_view(&text));
    }
    buf_release(&text);
}

static void tell_lines(const char *name, struct str text)
{
    if (!as_json) {
        write_out(text);
        return;
    }
    struct str prefix = str_of(PREFIX), hint = STR("\nhint: ");
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, STR("\n"), at);
        while (str_starts(str_from(text, end), hint)) /* it is about the line before it */
            end = str_find(text, STR("\n"), end + 1);
        struct str one = str_make(text.p + at, end - at);
        event(name, str_starts(one, prefix) ? str_from(one, prefix.n) : one);
        at = end + 1;
    }
}

void tell_warnings(struct str lines)
{
    tell_lines("warning", lines);
}

void tell_problems(struct str lines)
{
    tell_lines("error", lines);
}

void tell_error(struct str text, int exit_status)
{
    if (!as_json) {
        print(PREFIX, text.n ? text : STR("out of memory"));
        return;
    }
    struct buf out;
    tell_event_begin(&out, "error");
    buf_addf(&out, ",\"exit_status\":%d,\"message\":", exit_status);
    tell_json_string(&out, text);
    tell_event_end(&out);
}
