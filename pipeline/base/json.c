/* SPDX-License-Identifier: MIT */
/* Runs of plain bytes are copied whole; only quotes, backslashes and controls are looked at. */
#include "pipeline/base/json.h"

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

void json_add_string(struct buf *b, struct str s)
{
    size_t start = 0;
    buf_putc(b, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        buf_add(b, s.p + start, i - start);
        escape(b, c);
        start = i + 1;
    }
    if (s.n)
        buf_add(b, s.p + start, s.n - start);
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
