/* SPDX-License-Identifier: MIT */
/* In the values of labels a backslash, a quote and a line break are escaped; all else is UTF-8. */
#include "cmd/print/metrics.h"

#include <stdlib.h>

#include "cmd/print/plain.h"

enum { MAX_TEXT = 64 << 20 };

void metrics_init(struct metrics *m)
{
    *m = (struct metrics){0};
    buf_init(&m->text, MAX_TEXT);
    buf_init(&m->labels, MAX_TEXT);
}

void metrics_release(struct metrics *m)
{
    buf_release(&m->text);
    buf_release(&m->labels);
}

static void add_label(struct buf *out, const char *name, struct str value)
{
    struct buf clean;
    buf_init(&clean, MAX_TEXT);
    plain_utf8(&clean, value);
    buf_addf(out, "%s=\"", name);
    for (size_t i = 0; i < clean.len; i++) {
        char c = clean.p[i];
        if (c == '\\' || c == '"' || c == '\n')
            buf_putc(out, '\\');
        buf_putc(out, (char)(c == '\n' ? 'n' : c));
    }
    buf_putc(out, '"');
    out->rc = out->rc ? out->rc : clean.rc;
    buf_release(&clean);
}

void metrics_label(struct metrics *m, const char *name, struct str value)
{
    add_label(&m->labels, name, value);
    buf_putc(&m->labels, ',');
}

void metrics_begin(struct metrics *m, const char *name, const char *help)
{
    m->name = name;
    buf_addf(&m->text, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

void metrics_add(struct metrics *m, const char *label, struct str value, double number)
{
    struct str common = buf_view(&m->labels);
    if (!label && common.n)
        common.n--; /* the last comma */
    buf_addf(&m->text, "%s{", m->name);
    buf_add_str(&m->text, common);
    if (label)
        add_label(&m->text, label, value);
    buf_addf(&m->text, "} %.17g\n", number);
    m->text.rc = m->text.rc ? m->text.rc : m->labels.rc;
}

void metrics_one(struct metrics *m, const char *name, const char *help, double number)
{
    metrics_begin(m, name, help);
    metrics_add(m, NULL, (struct str){0}, number);
}

/* The number at the end of a sample's line. */
static bool read_number(struct str line, double *number)
{
    char text[64];
    size_t n = 0;
    while (n < line.n && line.p[line.n - n - 1] != ' ')
        n++;
    if (n == 0 || n >= sizeof text)
        return false;
    memcpy(text, line.p + line.n - n, n);
    text[n] = '\0';
    char *end = NULL;
    *number = strtod(text, &end);
    return *end == '\0';
}

bool metrics_find(struct str text, const char *name, struct str command, double *number)
{
    struct buf head;
    bool found = false;
    buf_init(&head, MAX_TEXT);
    buf_addf(&head, "%s{", name);
    add_label(&head, "command", command);
    for (size_t at = 0; at < text.n && !found;) {
        size_t end = str_find(text, STR("\n"), at);
        struct str line = str_make(text.p + at, end - at);
        found = !head.rc && str_starts(line, buf_view(&head)) && read_number(line, number);
        at = end + 1;
    }
    buf_release(&head);
    return found;
}
