/* SPDX-License-Identifier: MIT */
/*
 * Memory that runs out once: the $ALLOC_FAIL_AT-th allocation (counted from 1) that the program,
 * yyjson or zstd asks for fails with ENOMEM, and the file $ALLOC_FAIL_MARK says that it came to
 * that. Other libraries are spared: what OpenSSL does when its set-up fails is not ours to
 * mend. Works on glibc, whose own entry points are called underneath.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* NOLINT: dl_iterate_phdr */
#endif
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NOLINTBEGIN: names are glibc's, and the environment is read before there are threads */
extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

static atomic_long left; /* 0: not armed, or over */
static const char *mark;

static struct {
    uintptr_t from, to;
} code[16]; /* whose allocations count */
static size_t ncode;

static int add_code(struct dl_phdr_info *info, size_t size, void *ctx)
{
    (void)size;
    (void)ctx;
    int counts = !info->dlpi_name[0] || strstr(info->dlpi_name, "yyjson") ||
                 strstr(info->dlpi_name, "libzstd");
    for (size_t i = 0; counts && i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X) ||
            ncode == sizeof code / sizeof code[0])
            continue;
        code[ncode].from = info->dlpi_addr + h->p_vaddr;
        code[ncode].to = code[ncode].from + h->p_memsz;
        ncode++;
    }
    return 0;
}

__attribute__((constructor)) static void arm(void)
{
    const char *at = getenv("ALLOC_FAIL_AT");
    mark = getenv("ALLOC_FAIL_MARK");
    (void)dl_iterate_phdr(add_code, NULL);
    if (at && mark)
        atomic_store(&left, strtol(at, NULL, 10));
}

static int counts(const void *caller)
{
    for (size_t i = 0; i < ncode; i++) {
        if ((uintptr_t)caller >= code[i].from && (uintptr_t)caller < code[i].to)
            return 1;
    }
    return 0;
}

static int fails(const void *caller)
{
    if (!counts(caller))
        return 0;
    if (atomic_load(&left) <= 0 || atomic_fetch_sub(&left, 1) != 1)
        return 0;
    int fd = open(mark, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0)
        close(fd);
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t n)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, n);
}
/* NOLINTEND */
