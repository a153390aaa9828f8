/* SPDX-License-Identifier: MIT */
#include "cmd/print/diagram/diagram_text.h"

#include <string.h>

uint32_t diagram_text_next(struct str s, size_t *at, struct str *bytes)
{
    unsigned char lead = (unsigned char)s.p[*at];
    size_t n = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t c = n == 1 ? lead : lead & (0xFFU >> (n + 1));
    if (n > s.n - *at)
        n = s.n - *at;
    for (size_t i = 1; i < n; i++)
        c = c << 6 | ((unsigned char)s.p[*at + i] & 0x3F);
    *bytes = str_make(s.p + *at, n);
    *at += n;
    return c;
}

static bool is_word_byte(char c, bool first)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return letter || (!first && c >= '0' && c <= '9');
}

bool diagram_text_is_word(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (!is_word_byte(s.p[i], i == 0))
            return false;
    }
    return s.n > 0;
}

bool diagram_text_is_one_of(struct str s, const char *const *words)
{
    char low[16];
    if (s.n >= sizeof low)
        return false;
    for (size_t i = 0; i < s.n; i++)
        low[i] = (char)(s.p[i] >= 'A' && s.p[i] <= 'Z' ? s.p[i] - 'A' + 'a' : s.p[i]);
    while (*words && !str_is(str_make(low, s.n), *words))
        words++;
    return *words != NULL;
}

/* Words that some reader of YAML takes for something else than themselves. */
static bool is_yaml_value(struct str s)
{
    static const char *const VALUES[] = {"null", "true", "false", "yes", "no",
                                         "on",   "off",  "y",     "n",   NULL};
    return diagram_text_is_one_of(s, VALUES);
}

/* Printable, as YAML has it, and no break of a line. */
static bool is_yaml_printable(uint32_t c)
{
    return (c >= 0x20 && c < 0x7F) || (c >= 0xA0 && c < 0x2028) || (c > 0x2029 && c < 0xFEFF) ||
           (c > 0xFEFF && c < 0xFFFE) || c > 0xFFFF;
}

void diagram_text_yaml(struct buf *out, struct str s)
{
    struct str bytes;
    if (diagram_text_is_word(s) && !is_yaml_value(s)) {
        buf_add_str(out, s);
        return;
    }
    buf_putc(out, '"');
    for (size_t at = 0; at < s.n;) {
        uint32_t c = diagram_text_next(s, &at, &bytes);
        if (!is_yaml_printable(c)) {
            buf_addf(out, "\\u%04x", (unsigned)c);
            continue;
        }
        if (c == '"' || c == '\\')
            buf_putc(out, '\\');
        buf_add_str(out, bytes);
    }
    buf_putc(out, '"');
}

static const char *xml_entity(uint32_t c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void diagram_text_xml(struct buf *out, struct str s)
{
    struct str bytes;
    for (size_t at = 0; at < s.n;) {
        uint32_t c = diagram_text_next(s, &at, &bytes);
        const char *entity = xml_entity(c);
        bool space = c == '\t' || c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
        if (entity) {
            buf_puts(out, entity);
        } else if (space) {
            buf_putc(out, ' ');
        } else if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF) {
            buf_puts(out, "\xEF\xBF\xBD");
        } else {
            buf_add_str(out, bytes);
        }
    }
}
