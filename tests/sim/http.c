/* SPDX-License-Identifier: MIT */
/* The head is parsed again from its start until it is whole: requests are small. */
#define _GNU_SOURCE
#include "tests/sim/http.h"

#include <strings.h>

static struct str trim(struct str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = str_from(s, 1);
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
        s.n--;
    return s;
}

struct str http_header(const struct http_request *req, const char *name, size_t nth)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < req->nheaders; i++) {
        struct str h = req->headers[i].name;
        if (h.n == n && strncasecmp(h.p, name, n) == 0 && nth-- == 0)
            return req->headers[i].value;
    }
    return str_make(NULL, 0);
}

static bool request_line(struct str line, struct http_request *req)
{
    size_t a = str_find(line, STR(" "), 0);
    size_t b = a < line.n ? str_find(line, STR(" "), a + 1) : line.n;
    if (b >= line.n || !str_starts(str_from(line, b + 1), STR("HTTP/1.")))
        return false;
    req->method = str_make(line.p, a);
    req->path = str_make(line.p + a + 1, b - a - 1);
    size_t mark = str_find(req->path, STR("?"), 0);
    if (mark < req->path.n) {
        req->query = str_from(req->path, mark + 1);
        req->path.n = mark;
    }
    return true;
}

static bool header_line(struct str line, struct http_request *req)
{
    size_t colon = str_find(line, STR(":"), 0);
    if (colon == line.n || req->nheaders == HTTP_MAX_HEADERS)
        return false;
    req->headers[req->nheaders++] =
        (struct http_header){str_make(line.p, colon), trim(str_from(line, colon + 1))};
    return true;
}

static enum http_state body(struct str in, size_t head, struct http_request *req)
{
    unsigned long long length = 0;
    struct str text = http_header(req, "content-length", 0);
    if (http_header(req, "transfer-encoding", 0).n || (text.n && !str_uint(text, &length)))
        return HTTP_BAD;
    if (length > HTTP_MAX_BODY)
        return HTTP_TOO_LARGE;
    if (in.n - head < length)
        return HTTP_MORE;
    req->body = str_make(in.p + head, (size_t)length);
    req->total = head + (size_t)length;
    return HTTP_DONE;
}

enum http_state http_parse(struct str in, struct http_request *req)
{
    *req = (struct http_request){0};
    size_t end = str_find(in, STR("\r\n\r\n"), 0);
    if (end == in.n)
        return in.n > HTTP_MAX_HEAD ? HTTP_BAD : HTTP_MORE;
    bool first = true;
    for (size_t at = 0; at < end + 2;) {
        size_t stop = str_find(in, STR("\r\n"), at);
        struct str line = str_make(in.p + at, stop - at);
        if (first ? !request_line(line, req) : !header_line(line, req))
            return HTTP_BAD;
        first = false;
        at = stop + 2;
    }
    return body(in, end + 4, req);
}

const char *http_reason(int status)
{
    static const struct {
        int status;
        const char *text;
    } reasons[] = {{200, "OK"},
                   {206, "Partial Content"},
                   {301, "Moved Permanently"},
                   {307, "Temporary Redirect"},
                   {400, "Bad Request"},
                   {403, "Forbidden"},
                   {404, "Not Found"},
                   {412, "Precondition Failed"},
                   {416, "Range Not Satisfiable"},
                   {413, "Payload Too Large"},
                   {429, "Too Many Requests"},
                   {500, "Internal Server Error"},
                   {501, "Not Implemented"},
                   {502, "Bad Gateway"},
                   {503, "Service Unavailable"},
                   {504, "Gateway Timeout"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].status == status)
            return reasons[i].text;
    }
    return "Unknown";
}
