/* SPDX-License-Identifier: MIT */
/* A type or a key may hold anything, terminal commands included. Nothing is cut inside a character. */
#include "cmd/plain.h"

static bool is_control(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
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
    for (size_t i = 0; i < n; i++)
        buf_putc(out, is_control((unsigned char)text.p[i]) ? '?' : text.p[i]);
    if (n < text.n)
        buf_puts(out, "...");
}

void plain_pad(struct buf *out, struct str text, size_t width)
{
    size_t from = out->len;
    plain_add(out, text, width);
    while (out->rc == RC_OK && out->len - from < width)
        buf_putc(out, ' ');
}

const char *plain_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}
