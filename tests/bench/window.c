/* SPDX-License-Identifier: MIT */
/*
 * What level, window and tables of the compressor cost: each file is compressed as a part is, in pieces
 * of 128 KB. Prints a line per setting: bytes, and CPU seconds (the least of RUNS). Usage: window FILE...
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <zstd.h>

enum { PIECE = 128 << 10, RUNS = 3 };

struct setting {
    int level, window, hash, chain; /* 0: as the level has it */
};

static const struct setting SETTINGS[] = {
    {1, 0, 0, 0},    {2, 0, 0, 0},    {3, 0, 0, 0},    {3, 18, 15, 14},
    {3, 19, 15, 14}, {3, 19, 16, 14}, {3, 19, 16, 15}, {3, 19, 17, 15},
    {3, 20, 15, 14}, {3, 21, 15, 14}, {3, 21, 16, 15}, {4, 0, 0, 0},
};

static char *read_all(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0)
        abort();
    *n = (size_t)ftell(f);
    rewind(f);
    char *p = malloc(*n + 1);
    if (!p || fread(p, 1, *n, f) != *n)
        abort();
    (void)fclose(f);
    return p;
}

static void set(ZSTD_CCtx *c, ZSTD_cParameter p, int v)
{
    if (v && ZSTD_isError(ZSTD_CCtx_setParameter(c, p, v)))
        abort();
}

static size_t pack(const struct setting *s, const char *p, size_t n)
{
    static char out[1 << 20];
    size_t bytes = 0;
    ZSTD_CCtx *c = ZSTD_createCCtx();
    set(c, ZSTD_c_compressionLevel, s->level);
    set(c, ZSTD_c_checksumFlag, 1);
    set(c, ZSTD_c_windowLog, s->window);
    set(c, ZSTD_c_hashLog, s->hash);
    set(c, ZSTD_c_chainLog, s->chain);
    for (size_t at = 0; at < n; at += PIECE) {
        size_t left = n - at < PIECE ? n - at : PIECE;
        ZSTD_inBuffer in = {p + at, left, 0};
        ZSTD_EndDirective how = at + left == n ? ZSTD_e_end : ZSTD_e_continue;
        size_t more;
        do {
            ZSTD_outBuffer to = {out, sizeof out, 0};
            more = ZSTD_compressStream2(c, &to, &in, how);
            bytes += to.pos;
        } while (how == ZSTD_e_end ? more != 0 : in.pos < in.size);
    }
    ZSTD_freeCCtx(c);
    return bytes;
}

static void measure(const struct setting *s, const char *p, size_t n)
{
    double best = 0;
    size_t bytes = 0;
    for (int i = 0; i < RUNS; i++) {
        clock_t from = clock();
        bytes = pack(s, p, n);
        double took = (double)(clock() - from) / CLOCKS_PER_SEC;
        best = i && best < took ? best : took;
    }
    printf("| %5d | %6d | %4d | %5d | %11zu | %7.3f |\n", s->level, s->window, s->hash,
           s->chain, bytes, best);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t n;
        char *p = read_all(argv[i], &n);
        printf("%s: %zu bytes\n| level | window | hash | chain |       bytes | seconds "
               "|\n|---|---|---|---|---|---|\n",
               argv[i], n);
        for (size_t k = 0; k < sizeof SETTINGS / sizeof SETTINGS[0]; k++)
            measure(&SETTINGS[k], p, n);
        free(p);
    }
    return 0;
}
