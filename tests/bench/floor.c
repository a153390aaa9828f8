/* SPDX-License-Identifier: MIT */
/*
 * The least an export could cost: inflate the input with ISA-L, parse every line with yyjson,
 * compress the same output bytes with zstd at level 3. No routing, no rows, no ledger.
 * Usage: floor OUTPUT.jsonl INPUT.gz...
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <isa-l/igzip_lib.h>
#include <yyjson.h>
#include <zstd.h>

enum { CHUNK = 1 << 20, POOL = 1 << 22 };

static void die(const char *what)
{
    (void)fprintf(stderr, "floor: %s\n", what);
    exit(1); /* NOLINT(concurrency-mt-unsafe): one thread */
}

struct bytes {
    char *p;
    size_t n;
};

static struct bytes read_file(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (fd < 0 || fstat(fd, &st) != 0)
        die(path);
    struct bytes b = {malloc((size_t)st.st_size + 1), 0};
    while (b.p && b.n < (size_t)st.st_size) {
        ssize_t got = read(fd, b.p + b.n, (size_t)st.st_size - b.n);
        if (got <= 0)
            die(path);
        b.n += (size_t)got;
    }
    (void)close(fd);
    return b;
}

static size_t parse_lines(char *p, size_t n, const yyjson_alc *alc, size_t *lines)
{
    size_t at = 0;
    for (;;) {
        char *end = memchr(p + at, '\n', n - at);
        if (!end)
            return at;
        size_t len = (size_t)(end - (p + at));
        yyjson_doc *doc = yyjson_read_opts(p + at, len, 0, alc, NULL);
        if (!doc)
            die("a line that is no JSON");
        yyjson_doc_free(doc);
        (*lines)++;
        at += len + 1;
    }
}

static size_t input(const char *path, char *pool)
{
    struct bytes in = read_file(path);
    struct inflate_state state;
    yyjson_alc alc;
    char *out = malloc((size_t)CHUNK * 2);
    size_t kept = 0, lines = 0;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    state.next_in = (uint8_t *)in.p;
    state.avail_in = (uint32_t)in.n;
    while (out && state.block_state != ISAL_BLOCK_FINISH) {
        state.next_out = (uint8_t *)out + kept;
        state.avail_out = CHUNK;
        if (isal_inflate(&state) != ISAL_DECOMP_OK)
            die("bad gzip data");
        size_t n = kept + CHUNK - state.avail_out;
        yyjson_alc_pool_init(&alc, pool, POOL);
        size_t used = parse_lines(out, n, &alc, &lines);
        kept = n - used;
        memmove(out, out + used, kept);
    }
    free(out);
    free(in.p);
    return lines;
}

/* Compresses n bytes; the last of them end the frame. */
static size_t compress(ZSTD_CCtx *c, const char *p, size_t n, const ZSTD_outBuffer *room)
{
    ZSTD_inBuffer src = {p, n, 0};
    ZSTD_EndDirective how = n == 0 ? ZSTD_e_end : ZSTD_e_continue;
    size_t left, total = 0;
    do {
        ZSTD_outBuffer dst = *room;
        left = ZSTD_compressStream2(c, &dst, &src, how);
        if (ZSTD_isError(left))
            die("zstd");
        total += dst.pos;
    } while (n == 0 ? left != 0 : src.pos < src.size);
    return total;
}

/* Read piece by piece: the rows need not be in memory at once, and that would cost. */
static size_t output(const char *path)
{
    ZSTD_CCtx *c = ZSTD_createCCtx();
    size_t cap = ZSTD_CStreamOutSize(), step = ZSTD_CStreamInSize(), total = 0;
    char *out = malloc(cap), *in = malloc(step);
    int fd = open(path, O_RDONLY);
    if (!c || !out || !in || fd < 0)
        die(path);
    (void)ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, 3);
    (void)ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    ssize_t got;
    do {
        got = read(fd, in, step);
        if (got < 0)
            die(path);
        total += compress(c, in, (size_t)got, &(ZSTD_outBuffer){out, cap, 0});
    } while (got > 0);
    (void)close(fd);
    (void)ZSTD_freeCCtx(c);
    free(out);
    free(in);
    return total;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        die("usage: floor OUTPUT.jsonl INPUT.gz...");
    char *pool = malloc(POOL);
    size_t lines = 0;
    for (int i = 2; pool && i < argc; i++)
        lines += input(argv[i], pool);
    (void)printf("%zu lines, %zu bytes out\n", lines, output(argv[1]));
    free(pool);
    return 0;
}
