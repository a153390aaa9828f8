/* SPDX-License-Identifier: MIT */
/* Data may hold anything, terminal commands included; a mark that turns the direction of writing
 * makes a text look like another. Nothing is cut inside a character. */
#include "cmd/print/plain.h"

#include <stdio.h>
#include <unistd.h>

#include "pipeline/base/utf8.h"

/* Characters that command a terminal, or turn the order of what stands around them. */
static const struct {
    uint32_t first, last;
} COMMANDS[] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                {0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}};

static bool is_command(uint32_t c)
{
    bool is = false;
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS && !is; i++)
        is = c >= COMMANDS[i].first && c <= COMMANDS[i].last;
    return is;
}

/* How many bytes a command takes at the beginning of the text; 0: it begins with none. */
static size_t command_at(struct str text, uint32_t *c)
{
    const unsigned char *p = (const unsigned char *)text.p;
    size_t n = 1;
    *c = p[0];
    if (text.n >= 2 && (p[0] & 0xe0) == 0xc0) {
        n = 2;
        *c = (p[0] & 0x1fU) << 6 | (p[1] & 0x3fU);
    } else if (text.n >= 3 && (p[0] & 0xf0) == 0xe0) {
        n = 3;
        *c = (p[0] & 0xfU) << 12 | (p[1] & 0x3fU) << 6 | (p[2] & 0x3fU);
    } else if (p[0] >= 0x80) {
        return 0;
    }
    return is_command(*c) ? n : 0;
}

static bool is_inside(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

void plain_add(struct buf *out, struct str text, size_t max)
{
    size_t n = text.n;
    if (n > max) {
        n = max > 3 ? max - 3 : 0;
        while (n && is_inside(text.p[n]))
            n--;
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t c;
        size_t bytes = command_at(str_make(text.p + i, n - i), &c);
        buf_putc(out, bytes ? '?' : text.p[i]);
        i += bytes ? bytes - 1 : 0;
    }
    if (n < text.n)
        buf_puts(out, "...");
}

void plain_utf8(struct buf *out, struct str text)
{
    while (text.n) {
        size_t bad = utf8_bad(text);
        buf_add(out, text.p, bad);
        if (bad < text.n)
            buf_puts(out, "\xef\xbf\xbd");
        text = str_from(text, bad < text.n ? bad + 1 : bad);
    }
}

void plain_escape(struct buf *out, struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        uint32_t c;
        size_t bytes = text.p[i] == '\n' ? 0 : command_at(str_from(text, i), &c);
        if (bytes) {
            buf_addf(out, "\\u%04x", c);
            i += bytes - 1;
        } else {
            buf_putc(out, text.p[i]);
        }
    }
}

void plain_pad(struct buf *out, struct str text, size_t width)
{
    size_t from = out->len;
    plain_add(out, text, SIZE_MAX);
    while (!out->rc && out->len - from < width)
        buf_putc(out, ' ');
}

const char *plain_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

void plain_line(struct buf *out, const char *name, const char *fmt, ...)
{
    va_list ap;
    buf_addf(out, "%-16s ", name);
    va_start(ap, fmt);
    buf_vaddf(out, fmt, ap);
    va_end(ap);
    buf_putc(out, '\n');
}

void plain_print(struct str text)
{
    struct buf safe;
    buf_init(&safe, BUF_NO_LIMIT);
    if (isatty(STDOUT_FILENO)) {
        plain_escape(&safe, text);
        text = buf_view(&safe);
    }
    if (text.n)
        (void)fwrite(text.p, 1, text.n, stdout);
    buf_release(&safe);
}
