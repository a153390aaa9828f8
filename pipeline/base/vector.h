/* SPDX-License-Identifier: MIT */
/*
 * ISA-L's AVX-512 routines return with the upper halves of the vector registers in use. From
 * then on every SSE instruction of the thread waits for the one before it that wrote the same
 * register. Clearing them costs one instruction; not doing so cost a third of a scan.
 * Intel 64 and IA-32 Architectures Optimization Reference Manual, "Mixing Intel AVX and SSE".
 */
#ifndef BASE_VECTOR_H
#define BASE_VECTOR_H

/* To be called after a routine of ISA-L. */
static inline void vector_done(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx"))
        __asm__ volatile("vzeroupper" ::: "memory");
#endif
}

#endif
