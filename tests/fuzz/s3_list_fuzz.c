/* SPDX-License-Identifier: MIT */
/* The reader of listings: what it takes is a list of keys, and what it refuses adds nothing. */
#include <stdlib.h>

#include "pipeline/aws/s3/s3_list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct s3_list *l)
{
    size_t sum = 0;
    for (size_t i = 0; i < l->n; i++) {
        const struct s3_entry *e = &l->entries[i];
        if (e->key.p[e->key.n] != '\0')
            abort();
        sum += e->key.n + e->etag.n;
    }
    if (sum > SIZE_MAX / 2 || (l->more && l->token.len == 0))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    struct arena a;
    struct s3_list l;
    arena_init(&a, 0);
    s3_list_init(&l, &a);
    for (int i = 0; i < 2; i++) {
        size_t before = l.n;
        if (s3_list_page(&l, text)) {
            check(&l);
        } else if (l.n != before) {
            abort();
        }
    }
    s3_list_release(&l);
    arena_release(&a);
    return 0;
}
