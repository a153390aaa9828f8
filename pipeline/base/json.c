/* SPDX-License-Identifier: MIT */
/* Runs of plain bytes are copied whole; only quotes, backslashes and controls are looked at. */
#include "pipeline/base/json.h"

#include "pipeline/base/bytescan.h"

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

/* A text that needs escapes. */
static void add_escaped(struct buf *b, struct str s)
{
    unsigned high = 0;
    const char *p = s.p, *end = s.p + s.n;
    while (p < end) {
        const char *stop = bytescan_plain(p, end, &high);
        buf_add(b, p, (size_t)(stop - p));
        p = stop;
        if (p < end)
            escape(b, (unsigned char)*p++);
    }
}

void json_add_string(struct buf *b, struct str s)
{
    if (s.n && !bytescan_all_plain(s.p, s.n)) {
        buf_putc(b, '"');
        add_escaped(b, s);
        buf_putc(b, '"');
        return;
    }
    if (!buf_room(b, s.n + 2))
        return;
    char *to = b->p + b->len;
    b->len += s.n + 2;
    *to = '"';
    if (s.n)
        memcpy(to + 1, s.p, s.n);
    to[1 + s.n] = '"';
}

void json_add_name(struct buf *b, bool *first, const char *name)
{
    if (!*first)
        buf_putc(b, ',');
    *first = false;
    json_add_string(b, str_of(name));
    buf_putc(b, ':');
}
