/* SPDX-License-Identifier: MIT */
/* The stores there are, each by the same cases. */
#include <stdlib.h>

#include "sinks/store/folder/folder_store.h"
#include "tests/harness/bucket_store.h"
#include "tests/harness/jsonl_fixture.h"
#include "tests/harness/store_cases.h"

static void *folder_make(void)
{
    char *path = malloc(256);
    if (!path)
        abort();
    fix_tmp(path);
    return path;
}

static enum rc folder_open(void *place, struct store **out, struct err *err)
{
    return folder_store_open(place, NULL, out, err);
}

static void folder_unmake(void *place)
{
    fix_remove(place);
    free(place);
}

static void *bucket_make(void)
{
    struct bucket *b = malloc(sizeof *b);
    if (!b)
        abort();
    bucket_init(b);
    return b;
}

static enum rc open_bucket(void *place, struct store **out, struct err *err)
{
    return bucket_store_open("", place, out, err);
}

static void bucket_unmake(void *place)
{
    bucket_release(place);
    free(place);
}

int main(void)
{
    static const struct store_subject SUBJECTS[] = {
        {"a folder", folder_make, folder_open, folder_unmake},
        {"a bucket", bucket_make, open_bucket, bucket_unmake},
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof SUBJECTS / sizeof SUBJECTS[0]; i++)
        failed += store_cases(&SUBJECTS[i]);
    return failed;
}
