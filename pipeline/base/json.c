/* SPDX-License-Identifier: MIT */
/* Runs of plain bytes are copied whole; only quotes, backslashes and controls are looked at. */
#include "pipeline/base/json.h"

#include "pipeline/base/scan.h"

static const char HEX[] = "0123456789abcdef";

static void escape(struct buf *b, unsigned char c)
{
    static const char SHORT[][3] = {
        ['\b'] = "\\b", ['\t'] = "\\t", ['\n'] = "\\n", ['\f'] = "\\f", ['\r'] = "\\r"};
    if (c == '"' || c == '\\') {
        char two[2] = {'\\', (char)c};
        buf_add(b, two, 2);
    } else if (c < sizeof SHORT / sizeof SHORT[0] && SHORT[c][0]) {
        buf_add(b, SHORT[c], 2);
    } else {
        char six[6] = {'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]};
        buf_add(b, six, 6);
    }
}

/* From the first byte that needs an escape on. */
static void add_escaped(struct buf *b, const char *p, const char *end)
{
    unsigned high = 0;
    while (p < end) {
        escape(b, (unsigned char)*p++);
        const char *stop = scan_plain(p, end, &high);
        buf_add(b, p, (size_t)(stop - p));
        p = stop;
    }
}

void json_add_string(struct buf *b, struct str s)
{
    /* room for both quotes and a text without escapes: the usual case */
    if (s.n > BUF_NO_LIMIT || !buf_room(b, s.n + 2)) {
        b->rc = RC_NOMEM;
        return;
    }
    b->p[b->len++] = '"';
    if (s.n) {
        unsigned high = 0;
        const char *end = s.p + s.n, *stop = scan_plain(s.p, end, &high);
        memcpy(b->p + b->len, s.p, (size_t)(stop - s.p));
        b->len += (size_t)(stop - s.p);
        if (stop < end)
            add_escaped(b, stop, end);
    }
    buf_putc(b, '"');
}

void json_add_name(struct buf *b, bool *first, const char *name)
{
    if (!*first)
        buf_putc(b, ',');
    *first = false;
    json_add_string(b, str_of(name));
    buf_putc(b, ':');
}
