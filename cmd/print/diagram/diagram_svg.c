/* SPDX-License-Identifier: MIT */
/*
 * A drawing, https://www.w3.org/TR/SVG11/: a box for each table, a line with crow's feet for each
 * reference. It stands alone, follows the reader's light or dark colours, and every text of the
 * model is text: nothing of it can be markup.
 */
#include "cmd/print/diagram/diagram.h"
#include "cmd/print/diagram/diagram_layout.h"
#include "cmd/print/diagram/diagram_text.h"
#include "pipeline/item/cast/column_type.h"

#define CHAR   7.3 /* of a monospaced font of 12 px */
#define HEAD   26.0
#define ROW    20.0
#define MARGIN 24.0
#define FOOT   24.0 /* of a line, where its foot is drawn */

enum { MOST_ROWS = 40, MOST_CHARS = 40, MARK_CHARS = 6, PAD_CHARS = 4 };

struct drawing {
    const struct diagram *d;
    struct layout layout;
    struct diagram_reference *refs; /* of each edge */
};

/* ---- sizes ---- */

/* How many columns of a monospaced font the text takes; what is wide takes two. */
static size_t text_width(struct str s)
{
    struct str bytes;
    size_t n = 0;
    for (size_t at = 0; at < s.n;)
        n += diagram_text_next(s, &at, &bytes) >= 0x1100 ? 2 : 1;
    return n;
}

static size_t shown_width(struct str s)
{
    size_t n = text_width(s);
    return n > MOST_CHARS ? MOST_CHARS : n;
}

static uint32_t shown_rows(const struct table *t)
{
    return t->ncolumns > MOST_ROWS ? MOST_ROWS + 1 : t->ncolumns;
}

static struct layout_box box_of(const struct table *t)
{
    size_t name = 0, type = 0;
    for (uint32_t i = 0; i < t->ncolumns && i < MOST_ROWS; i++) {
        size_t n = shown_width(t->columns[i].name);
        size_t k = strlen(column_type_name(t->columns[i].type));
        name = n > name ? n : name;
        type = k > type ? k : type;
    }
    size_t head = shown_width(t->name) + 2, row = name + type + MARK_CHARS + PAD_CHARS;
    return (struct layout_box){.w = CHAR * (double)(head > row ? head : row),
                               .h = HEAD + ROW * shown_rows(t)};
}

/* The middle of a column's row; of one that is not shown, of the last. */
static double row_middle(const struct layout_box *b, const struct table *t, uint32_t column)
{
    uint32_t last = shown_rows(t) - 1;
    return b->y + HEAD + ROW * ((column < last ? column : last) + 0.5);
}

static bool add_edges(struct drawing *w, struct arena *a)
{
    const struct schema *s = w->d->schema;
    uint32_t most = 0;
    for (uint32_t i = 0; i < s->ntables; i++)
        most += s->tables[i].nreferences;
    w->refs = arena_array(a, most + 1, sizeof *w->refs);
    w->layout.edges = arena_array(a, most + 1, sizeof *w->layout.edges);
    if (!w->refs || !w->layout.edges)
        return false;
    for (uint32_t i = 0; i < s->ntables; i++) {
        for (uint32_t k = 0; k < s->tables[i].nreferences; k++) {
            uint32_t n = w->layout.nedges;
            if (!diagram_refer(w->d, &s->tables[i], k, &w->refs[n]))
                continue;
            w->layout.edges[n].from = i;
            w->layout.edges[n].to = s->tables[i].references[k].to;
            w->layout.nedges++;
        }
    }
    return true;
}

static bool lay_out(struct drawing *w, struct arena *a)
{
    const struct schema *s = w->d->schema;
    w->layout.boxes = arena_array(a, s->ntables + 1, sizeof *w->layout.boxes);
    w->layout.nboxes = s->ntables;
    for (uint32_t i = 0; w->layout.boxes && i < s->ntables; i++)
        w->layout.boxes[i] = box_of(&s->tables[i]);
    return w->layout.boxes && add_edges(w, a) && diagram_layout(&w->layout, a);
}

/* ---- boxes ---- */

/* The text, cut where it is too long; all of it is its title then. */
static void add_text(struct buf *out, const char *class, double x, double y, struct str text)
{
    struct str bytes;
    size_t n = 0, at = 0;
    bool cut = text_width(text) > MOST_CHARS;
    while (at < text.n && n < (cut ? MOST_CHARS - 1 : MOST_CHARS))
        n += diagram_text_next(text, &at, &bytes) >= 0x1100 ? 2 : 1;
    buf_addf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
    if (cut) {
        buf_puts(out, "<title>");
        diagram_text_xml(out, text);
        buf_puts(out, "</title>");
    }
    diagram_text_xml(out, str_make(text.p, cut ? at : text.n));
    buf_puts(out, cut ? "\xE2\x80\xA6</text>\n" : "</text>\n");
}

static bool is_in(const uint32_t *list, uint32_t n, uint32_t column)
{
    for (uint32_t i = 0; i < n; i++) {
        if (list[i] == column)
            return true;
    }
    return false;
}

static const char *mark_of(const struct table *t, uint32_t column)
{
    bool key = is_in(t->key, t->nkey, column), refers = false;
    for (uint32_t i = 0; i < t->nreferences; i++)
        refers = refers || is_in(t->references[i].columns, t->references[i].n, column);
    return key && refers ? "PK FK" : key ? "PK" : refers ? "FK" : "";
}

static void draw_row(struct buf *out, const struct layout_box *b, const struct table *t,
                     uint32_t column)
{
    double base = row_middle(b, t, column) + 4;
    const char *mark = mark_of(t, column);
    if (*mark)
        add_text(out, "k", b->x + CHAR, base, str_of(mark));
    add_text(out, t->columns[column].not_null ? "n" : "o", b->x + CHAR * (MARK_CHARS + 1), base,
             t->columns[column].name);
    buf_addf(out, "<text class=\"y\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", b->x + b->w - CHAR,
             base, column_type_name(t->columns[column].type));
}

static void draw_box(const struct drawing *w, uint32_t i)
{
    const struct table *t = &w->d->schema->tables[i];
    const struct layout_box *b = &w->layout.boxes[i];
    struct buf *out = w->d->out;
    buf_addf(out,
             "<g id=\"t%u\"><rect class=\"b\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
             "height=\"%.1f\" rx=\"4\"/>\n"
             "<path class=\"h\" d=\"M%.1f %.1fh%.1f\"/>\n",
             (unsigned)i, b->x, b->y, b->w, b->h, b->x, b->y + HEAD, b->w);
    add_text(out, "t", b->x + CHAR, b->y + HEAD - 8, t->name);
    for (uint32_t c = 0; c < t->ncolumns && c < MOST_ROWS; c++)
        draw_row(out, b, t, c);
    if (t->ncolumns > MOST_ROWS) {
        buf_addf(out, "<text class=\"o\" x=\"%.1f\" y=\"%.1f\">%u more columns</text>\n",
                 b->x + CHAR * (MARK_CHARS + 1), row_middle(b, t, MOST_ROWS) + 4,
                 (unsigned)(t->ncolumns - MOST_ROWS));
    }
    buf_puts(out, "</g>\n");
}

/* ---- lines ---- */

/* One end of a line: where it touches a box, and which way it leaves that. */
struct end {
    double x, y, way;
};

/* Who refers: none or many, or none or one. */
static void draw_foot(struct buf *out, const struct end *e, bool single)
{
    if (single) {
        buf_addf(out, "<path class=\"f\" d=\"M%.1f %.1fv12\"/>", e->x + e->way * 7, e->y - 6);
    } else {
        buf_addf(out, "<path class=\"f\" d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1f\"/>", e->x,
                 e->y - 6, e->x + e->way * 12, e->y, e->x, e->y + 6);
    }
    buf_addf(out, "<circle class=\"c\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
             e->x + e->way * (single ? 12 : 16), e->y);
}

/* What is referred to: one, or none or one. */
static void draw_target(struct buf *out, const struct end *e, bool optional)
{
    buf_addf(out, "<path class=\"f\" d=\"M%.1f %.1fv12\"/>", e->x + e->way * 7, e->y - 6);
    if (optional) {
        buf_addf(out, "<circle class=\"c\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n",
                 e->x + e->way * 14, e->y);
    } else {
        buf_addf(out, "<path class=\"f\" d=\"M%.1f %.1fv12\"/>\n", e->x + e->way * 11,
                 e->y - 6);
    }
}

static void draw_loop(struct buf *out, const struct end *a, const struct end *b)
{
    double x = a->x + FOOT + 14;
    buf_addf(out,
             "<path class=\"l\" d=\"M%.1f %.1fH%.1fC%.1f %.1f %.1f %.1f %.1f %.1fH%.1f\"/>\n",
             a->x, a->y, a->x + FOOT, x, a->y, x, b->y, b->x + FOOT, b->y, b->x);
}

/* Goes on from (x, y) to there in a curve that begins and ends level. */
static void curve(struct buf *out, double x, double y, double to_x, double to_y)
{
    double middle = (x + to_x) / 2;
    buf_addf(out, "C%.1f %.1f %.1f %.1f %.1f %.1f", middle, y, middle, to_y, to_x, to_y);
}

/* From the left box out of its layer, level through each layer between, to the right box. */
static void draw_line(const struct drawing *w, const struct layout_edge *e,
                      const struct end *left, const struct end *right, double leaves)
{
    struct buf *out = w->d->out;
    double x = leaves, y = left->y;
    buf_addf(out, "<path class=\"l\" d=\"M%.1f %.1fH%.1f", left->x, y, x);
    for (uint32_t i = 0; i < e->n; i++) {
        const struct layout_point *p = &w->layout.points[e->first + i];
        curve(out, x, y, p->x, p->y);
        buf_addf(out, "H%.1f", p->x + p->w);
        x = p->x + p->w;
        y = p->y;
    }
    curve(out, x, y, right->x - FOOT, right->y);
    buf_addf(out, "H%.1f\"/>\n", right->x);
}

static void draw_edge(const struct drawing *w, uint32_t i)
{
    const struct layout_edge *e = &w->layout.edges[i];
    const struct diagram_reference *r = &w->refs[i];
    const struct layout_box *from = &w->layout.boxes[e->from], *to = &w->layout.boxes[e->to];
    bool loop = e->from == e->to, to_left = !loop && to->x < from->x;
    struct end child = {to_left ? from->x : from->x + from->w,
                        row_middle(from, r->from, r->columns->columns[0]), to_left ? -1 : 1};
    struct end parent = {to_left || loop ? to->x + to->w : to->x,
                         row_middle(to, r->to, r->columns->to_columns[0]),
                         to_left || loop ? 1 : -1};
    buf_puts(w->d->out, "<g>");
    if (loop) {
        draw_loop(w->d->out, &child, &parent);
    } else if (to_left) {
        draw_line(w, e, &parent, &child, to->layer_end + FOOT);
    } else {
        draw_line(w, e, &child, &parent, from->layer_end + FOOT);
    }
    draw_foot(w->d->out, &child, r->single);
    draw_target(w->d->out, &parent, r->optional);
    buf_puts(w->d->out, "</g>\n");
}

static const char STYLE[] =
    "<style>\n"
    "svg{background:#fff;color:#1c2733;font:12px ui-monospace,Menlo,Consolas,monospace}\n"
    "text{fill:currentColor;white-space:pre}.t{font-weight:700}.o{opacity:.8}.n{font-weight:"
    "600}\n"
    ".y{text-anchor:end;opacity:.8}.k{fill:#8a4b00;font-size:10px}\n"
    ".b{fill:#f6f8fb;stroke:#5b6b7d}.h{stroke:#5b6b7d}\n"
    ".l,.f{fill:none;stroke:#44566a;stroke-width:1.3}.c{fill:#fff;stroke:#44566a;stroke-width:"
    "1.3}\n"
    "@media (prefers-color-scheme:dark){svg{background:#12181f;color:#e4ebf2}.b{fill:#1b242e;"
    "stroke:#8497aa}.h{stroke:#8497aa}\n"
    ".l,.f{stroke:#a9bccf}.c{fill:#12181f;stroke:#a9bccf}.k{fill:#f0b45c}}\n"
    "@media print{svg{background:#fff;color:#000}}\n"
    "</style>\n";

static void draw(const struct drawing *w)
{
    struct buf *out = w->d->out;
    double width = w->layout.w + 2 * MARGIN + FOOT * 2, height = w->layout.h + 2 * MARGIN;
    buf_addf(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"%.1f %.1f %.1f "
             "%.1f\" width=\"%.0f\" height=\"%.0f\">\n<title>",
             -MARGIN, -MARGIN, width, height, width, height);
    diagram_text_xml(out, w->d->database);
    buf_puts(out, "</title>\n");
    buf_puts(out, STYLE);
    for (uint32_t i = 0; i < w->layout.nedges; i++)
        draw_edge(w, i);
    for (uint32_t i = 0; i < w->layout.nboxes; i++)
        draw_box(w, i);
    buf_puts(out, "</svg>\n");
}

static void svg_whole(const struct diagram *d)
{
    struct arena a;
    struct drawing w = {.d = d};
    arena_init(&a, 65536);
    if (lay_out(&w, &a)) {
        draw(&w);
    } else {
        d->out->rc = RC_NOMEM;
    }
    arena_release(&a);
}

const struct diagram_format diagram_svg = {.whole = svg_whole};
