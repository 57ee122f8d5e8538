/* SPDX-License-Identifier: MIT */
/*
 * malloc(), realloc() and calloc() of a test, which ask refuses() before they do as libc's do.
 * Included once, behind that function.
 */
#ifndef TW_TESTS_REFUSING_H
#define TW_TESTS_REFUSING_H

void *malloc(size_t n)
{
    static void *(*real)(size_t);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "malloc");
    return refuses(__builtin_return_address(0)) ? NULL : real(n);
}

void *realloc(void *block, size_t n)
{
    static void *(*real)(void *, size_t);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "realloc");
    return refuses(__builtin_return_address(0)) ? NULL : real(block, n);
}

void *calloc(size_t n, size_t size)
{
    static void *(*real)(size_t, size_t);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "calloc");
    return refuses(__builtin_return_address(0)) ? NULL : real(n, size);
}

#endif
