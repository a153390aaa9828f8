/* SPDX-License-Identifier: MIT */
/* x-amz-crc32 covers the body as transferred; a canned page brings its own crc. */
#include "tests/sim/reply.h"

#include <stdio.h>
#include <time.h>
#include <zlib.h>

#include "pipeline/base/json.h"
#include "tests/sim/http.h"

void reply_init(struct reply *r)
{
    *r = (struct reply){.status = 200,
                        .content_type = "application/x-amz-json-1.0",
                        .send_max = UINT64_MAX,
                        .outcome = "ok",
                        .fault = "-"};
    buf_init(&r->body, BUF_NO_LIMIT);
    buf_init(&r->headers, 1 << 16);
}

void reply_release(struct reply *r)
{
    buf_release(&r->body);
    buf_release(&r->headers);
}

static const char *prefix_of(const char *type)
{
    static const char *const coral[] = {"AccessDeniedException",
                                        "ExpiredTokenException",
                                        "UnrecognizedClientException",
                                        "InvalidSignatureException",
                                        "SerializationException",
                                        "RequestTimeTooSkewed",
                                        "ServiceUnavailableException",
                                        "UnknownOperationException",
                                        "MissingAuthenticationTokenException",
                                        "IncompleteSignatureException"};
    for (size_t i = 0; i < sizeof coral / sizeof *coral; i++) {
        if (strcmp(coral[i], type) == 0)
            return "com.amazon.coral.service#";
    }
    if (strcmp(type, "ValidationException") == 0)
        return "com.amazon.coral.validate#";
    return "com.amazonaws.dynamodb.v20120810#";
}

static void add_xml_error(struct reply *r, const char *type, const char *message)
{
    r->content_type = "application/xml";
    buf_addf(&r->body, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>%s</Code>",
             type);
    buf_puts(&r->body, "<Message>");
    for (const char *p = message ? message : ""; *p; p++) {
        if (*p == '<' || *p == '&') {
            buf_puts(&r->body, *p == '<' ? "&lt;" : "&amp;");
        } else {
            buf_putc(&r->body, *p);
        }
    }
    buf_puts(&r->body, "</Message></Error>");
}

void reply_error(struct reply *r, int status, const char *type, const char *message,
                 const char *extra)
{
    buf_clear(&r->body);
    r->shared = str_make(NULL, 0);
    r->crc_set = false;
    r->status = status;
    (void)snprintf(r->outcome, sizeof r->outcome, "%s", type);
    if (r->xml) {
        add_xml_error(r, type, message);
        return;
    }
    buf_addf(&r->body, "{\"__type\":\"%s%s\",\"message\":", prefix_of(type), type);
    json_add_string(&r->body, str_of(message));
    if (extra && *extra)
        buf_addf(&r->body, ",%s", extra);
    buf_putc(&r->body, '}');
}

void reply_invalid(struct reply *r, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    (void)vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    reply_error(r, 400, "ValidationException", text, NULL);
}

void reply_own(struct reply *r)
{
    if (r->shared.n == 0)
        return;
    struct buf whole;
    buf_init(&whole, BUF_NO_LIMIT);
    buf_add_str(&whole, r->shared);
    buf_add_str(&whole, buf_view(&r->body));
    buf_release(&r->body);
    r->body = whole;
    r->shared = str_make(NULL, 0);
}

void reply_date(int64_t now_us, char out[64])
{
    static const char *const days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static const char *const months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    time_t seconds = (time_t)(now_us / 1000000);
    struct tm tm = {0};
    (void)gmtime_r(&seconds, &tm);
    (void)snprintf(out, 64, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[tm.tm_wday % 7],
                   tm.tm_mday, months[tm.tm_mon % 12], tm.tm_year + 1900, tm.tm_hour, tm.tm_min,
                   tm.tm_sec);
}

static void request_id(uint64_t serial, char out[53])
{
    static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    for (size_t i = 0; i < 52; i++) {
        serial = serial * 6364136223846793005u + 1442695040888963407u;
        out[i] = alphabet[(serial >> 33) % 36];
    }
    out[52] = '\0';
}

void reply_head(struct reply *r, int64_t now_us, uint64_t serial, struct buf *out)
{
    char date[64];
    char id[53];
    reply_date(now_us, date);
    request_id(serial, id);
    uint64_t length = r->shared.n + r->body.len + r->filler;
    buf_addf(out, "HTTP/1.1 %d %s\r\nServer: Server\r\nDate: %s\r\n", r->status,
             http_reason(r->status), date);
    buf_addf(out, "Content-Type: %s\r\nContent-Length: %llu\r\n", r->content_type,
             (unsigned long long)length);
    buf_addf(out, "Connection: %s\r\nx-amzn-RequestId: %s\r\n",
             r->announce_close ? "close" : "keep-alive", id);
    if (!r->crc_off) {
        if (!r->crc_set) {
            reply_own(r);
            r->crc = (uint32_t)crc32_z(0, (const Bytef *)r->body.p, r->body.len);
        }
        buf_addf(out, "x-amz-crc32: %lu\r\n", (unsigned long)r->crc);
    }
    if (r->encoding)
        buf_addf(out, "Content-Encoding: %s\r\n", r->encoding);
    buf_add_str(out, buf_view(&r->headers));
    buf_puts(out, "\r\n");
}
