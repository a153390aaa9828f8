/* SPDX-License-Identifier: MIT */
/* Allocation that never fails: it ends the process with a message instead. */
#include "tests/sim/mem.h"

#include <stdio.h>
#include <stdlib.h>

#include "pipeline/base/buf.h"

static void *need(void *p)
{
    if (p)
        return p;
    (void)fputs("sim: out of memory\n", stderr);
    abort();
}

void *mem_alloc(size_t n)
{
    return need(malloc(n ? n : 1));
}

void *mem_zeroed(size_t n)
{
    return need(calloc(1, n ? n : 1));
}

void *mem_resize(void *p, size_t n)
{
    return need(realloc(p, n ? n : 1));
}

char *mem_dup(struct str s)
{
    char *copy = mem_alloc(s.n + 1);
    if (s.n)
        memcpy(copy, s.p, s.n);
    copy[s.n] = '\0';
    return copy;
}

char *mem_file(const char *path, size_t *len)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!f)
        return NULL;
    struct buf b;
    buf_init(&b, BUF_NO_LIMIT);
    while (buf_room(&b, 65536)) {
        size_t n = fread(b.p + b.len, 1, 65536, f);
        b.len += n;
        if (n == 0)
            break;
    }
    bool bad = ferror(f) || b.rc;
    if (f != stdin)
        (void)fclose(f);
    char *copy = bad ? NULL : mem_dup(buf_view(&b));
    *len = b.len;
    buf_release(&b);
    return copy;
}
