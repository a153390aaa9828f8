/* SPDX-License-Identifier: MIT */
/* The manifest reader: the text before the first NUL is the summary, the rest the file list. */
#include <stdlib.h>

#include "pipeline/source/files/find/export_manifest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size};
    const char *nul = size ? memchr(text.p, '\0', size) : NULL;
    struct str summary = str_make(text.p, nul ? (size_t)(nul - text.p) : size);
    struct str list = nul ? str_from(text, summary.n + 1) : STR("");
    struct arena a;
    struct export_manifest m;
    struct err err;
    arena_init(&a, 0);
    if (!export_manifest_summary(summary, "s", &a, &m, &err) &&
        !export_manifest_files(list, "f", &a, &m, &err)) {
        for (size_t i = 0; i < m.nfiles; i++) {
            if (m.files[i].name.n == 0 || memchr(m.files[i].name.p, '/', m.files[i].name.n))
                abort();
        }
    }
    arena_release(&a);
    return 0;
}
