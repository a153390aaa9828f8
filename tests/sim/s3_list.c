/* SPDX-License-Identifier: MIT */
/* The bucket is walked anew for each page; the token is the last key, as hexadecimal digits. */
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/sim/mem.h"
#include "tests/sim/s3.h"
#include "tests/sim/sim.h"

struct keys {
    char **list;
    size_t n;
};

static int is_name(const struct dirent *e)
{
    return strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
}

static void gather(struct keys *k, const char *root, const char *below)
{
    char path[4096];
    struct dirent **entries = NULL;
    (void)snprintf(path, sizeof path, "%s/%s", root, below);
    int n = scandir(path, &entries, is_name, NULL);
    for (int i = 0; i < n; i++) {
        char key[3000];
        (void)snprintf(key, sizeof key, "%.2500s%s%s", below, *below ? "/" : "",
                       entries[i]->d_name);
        if (entries[i]->d_type == DT_DIR) {
            gather(k, root, key);
        } else {
            k->list = mem_resize(k->list, (k->n + 1) * sizeof(char *));
            k->list[k->n++] = mem_dup(str_of(key));
        }
        free(entries[i]);
    }
    free(entries);
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* As S3 does it: a blank becomes a plus. */
static void add_key(struct buf *b, struct str key, bool encoded)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.*/";
    for (size_t i = 0; i < key.n && encoded; i++) {
        if (key.p[i] == ' ') {
            buf_putc(b, '+');
        } else if (strchr(plain, key.p[i])) {
            buf_putc(b, key.p[i]);
        } else {
            buf_addf(b, "%%%02X", (unsigned char)key.p[i]);
        }
    }
    if (!encoded)
        s3_add_xml(b, key);
}

static void add_entry(struct sim *s, const struct s3_call *c, const char *key, bool encoded,
                      struct buf *b)
{
    struct s3_call *own = (struct s3_call *)(uintptr_t)c;
    const struct s3_file *f = s3_find(s, buf_cstr(&own->bucket), key);
    if (!f)
        return;
    time_t seconds = (time_t)(f->mtime_ns / 1000000000);
    struct tm tm = {0};
    char when[64];
    (void)gmtime_r(&seconds, &tm);
    (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S.000Z", &tm);
    buf_puts(b, "<Contents><Key>");
    add_key(b, str_of(key), encoded);
    buf_addf(
        b,
        "</Key><LastModified>%s</LastModified><ETag>&quot;%s%s&quot;</ETag><Size>%zu</Size>"
        "<StorageClass>STANDARD</StorageClass></Contents>",
        when, f->etag, s->s3_changed ? "-2" : "", f->data.n);
}

static size_t page_size(const struct sim *s, const struct s3_call *c)
{
    unsigned long long n = 0;
    struct buf b;
    buf_init(&b, 1 << 16);
    size_t most = s->opt.s3_page ? (size_t)s->opt.s3_page : 1000;
    if (s3_parameter(c, "max-keys", &b) && str_uint(buf_view(&b), &n) && n < most)
        most = (size_t)n;
    buf_release(&b);
    return most;
}

static void add_token(struct buf *b, const char *last)
{
    buf_puts(b, "<NextContinuationToken>");
    for (const char *p = last; *p; p++)
        buf_addf(b, "%02x", (unsigned char)*p);
    buf_puts(b, "</NextContinuationToken>");
}

static bool is_behind(const char *key, struct str token)
{
    struct buf hex;
    buf_init(&hex, 1 << 16);
    for (const char *p = key; *p; p++)
        buf_addf(&hex, "%02x", (unsigned char)*p);
    bool behind = str_cmp(buf_view(&hex), token) > 0;
    buf_release(&hex);
    return behind;
}

void s3_list(struct sim *s, const struct s3_call *c, struct reply *r)
{
    struct s3_call *own = (struct s3_call *)(uintptr_t)c;
    struct keys k = {0};
    struct buf prefix, token, type;
    char root[4096];
    buf_init(&prefix, 1 << 16);
    buf_init(&token, 1 << 16);
    buf_init(&type, 1 << 16);
    (void)s3_parameter(c, "prefix", &prefix);
    (void)s3_parameter(c, "continuation-token", &token);
    bool encoded = s3_parameter(c, "encoding-type", &type);
    (void)snprintf(root, sizeof root, "%s/%s", s->opt.s3, buf_cstr(&own->bucket));
    gather(&k, root, "");
    if (k.n)
        qsort(k.list, k.n, sizeof *k.list, by_bytes);
    size_t most = page_size(s, c), n = 0;
    const char *last = NULL, *more = NULL;
    buf_puts(&r->body, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ListBucketResult "
                       "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
    if (encoded)
        buf_puts(&r->body, "<EncodingType>url</EncodingType>");
    for (size_t i = 0; i < k.n && !more; i++) {
        if (!str_starts(str_of(k.list[i]), buf_view(&prefix)) ||
            !is_behind(k.list[i], buf_view(&token)))
            continue;
        if (n++ == most) {
            more = last;
            continue;
        }
        last = k.list[i];
        add_entry(s, c, last, encoded, &r->body);
    }
    buf_addf(&r->body, "<IsTruncated>%s</IsTruncated>", more ? "true" : "false");
    if (more)
        add_token(&r->body, more);
    buf_puts(&r->body, "</ListBucketResult>");
    for (size_t i = 0; i < k.n; i++)
        free(k.list[i]);
    free(k.list);
    buf_release(&prefix);
    buf_release(&token);
    buf_release(&type);
}
