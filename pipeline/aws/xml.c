/* SPDX-License-Identifier: MIT */
/*
 * Expat does the reading; declarations of entities are refused, since an answer that defines
 * some is an attack. Each look-up reads the document anew: answers are a few hundred bytes.
 */
#include "pipeline/aws/xml.h"

#include <expat.h>

enum { MAX_DOCUMENT = 1 << 20 };

struct search {
    XML_Parser parser;
    const char *element;
    struct buf *out;
    int depth; /* inside the element, from 1 */
    bool found;
};

static bool same_name(const char *name, const char *want)
{
    const char *colon = strrchr(name, ':');
    return strcmp(colon ? colon + 1 : name, want) == 0;
}

static void on_start(void *ctx, const char *name, const char **attributes)
{
    (void)attributes;
    struct search *s = ctx;
    if (s->depth > 0 || (!s->found && same_name(name, s->element)))
        s->depth++;
}

static void on_end(void *ctx, const char *name)
{
    (void)name;
    struct search *s = ctx;
    if (s->depth > 0 && --s->depth == 0) {
        s->found = true;
        (void)XML_StopParser(s->parser, XML_FALSE);
    }
}

static void on_text(void *ctx, const char *p, int n)
{
    struct search *s = ctx;
    if (s->depth == 1)
        buf_add(s->out, p, (size_t)n);
}

static void on_doctype(void *ctx, const char *name, const char *system, const char *public,
                       int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    struct search *s = ctx;
    (void)XML_StopParser(s->parser, XML_FALSE);
}

bool xml_text(struct str document, const char *element, struct buf *out)
{
    if (document.n == 0 || document.n > MAX_DOCUMENT)
        return false;
    struct search s = {.parser = XML_ParserCreate(NULL), .element = element, .out = out};
    if (!s.parser)
        return false;
    XML_SetUserData(s.parser, &s);
    XML_SetElementHandler(s.parser, on_start, on_end);
    XML_SetCharacterDataHandler(s.parser, on_text);
    XML_SetStartDoctypeDeclHandler(s.parser, on_doctype);
    (void)XML_Parse(s.parser, document.p, (int)document.n, 1);
    XML_ParserFree(s.parser);
    return s.found && !out->rc;
}
