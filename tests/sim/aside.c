/* SPDX-License-Identifier: MIT */
/* A value is a word that no test uses, and the number of the key it stands for. */
#include "tests/sim/aside.h"

#include <stdlib.h>

#include "tests/sim/av.h"
#include "tests/sim/mem.h"

static struct str word(char type)
{
    return type == 'N' ? STR("-987654321") : type == 'B' ? STR("c2lt") : STR("sim-empty-");
}

void aside_add(struct aside *a, char type, yyjson_val *start, struct buf *out)
{
    yyjson_doc *doc = NULL;
    if (start) {
        size_t len = 0;
        char *text = yyjson_val_write(start, 0, &len);
        doc = yyjson_read(text, len, 0);
        free(text);
    }
    struct str w = word(type);
    buf_addf(out, "{\"%c\":\"%.*s%08zu\"}", type ? type : 'S', STR_FMT(w), a->n);
    a->from = mem_resize(a->from, (a->n + 1) * sizeof(yyjson_doc *));
    a->from[a->n++] = doc;
}

bool aside_find(const struct aside *a, yyjson_val *value, yyjson_val **start)
{
    yyjson_val *in = NULL;
    struct str type = av_type(value, &in);
    struct str text = av_text(in), w = word(type.n ? type.p[0] : 'S');
    unsigned long long n = 0;
    if (text.n != w.n + 8 || str_find(text, w, 0) != 0 || !str_uint(str_from(text, w.n), &n) ||
        n >= a->n)
        return false;
    *start = yyjson_doc_get_root(a->from[n]);
    return true;
}

void aside_release(struct aside *a)
{
    for (size_t i = 0; i < a->n; i++)
        yyjson_doc_free(a->from[i]);
    free(a->from);
}
