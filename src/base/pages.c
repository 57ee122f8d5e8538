/* SPDX-License-Identifier: MIT */
#include "base/pages.h"

#include <glib.h>

#include "base/sanitizer.h"

/* mremap() is Linux only. */
#if defined(__linux__) && !TW_ADDRESS_SANITIZER && !TW_THREAD_SANITIZER

#include <sys/mman.h>

static void *checked(void *pages, size_t bytes)
{
    if (pages == MAP_FAILED)
        g_error("failed to allocate %" G_GSIZE_FORMAT " bytes", bytes);
    return pages;
}

void *tw_pages_new(size_t bytes)
{
    return checked(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                   bytes);
}

void *tw_pages_grow(void *pages, size_t from_bytes, size_t to_bytes)
{
    return checked(mremap(pages, from_bytes, to_bytes, MREMAP_MAYMOVE), to_bytes);
}

void tw_pages_free(void *pages, size_t bytes)
{
    munmap(pages, bytes);
}

#else

void *tw_pages_new(size_t bytes)
{
    return g_malloc(bytes);
}

void *tw_pages_grow(void *pages, size_t from_bytes, size_t to_bytes)
{
    (void)from_bytes;
    return g_realloc(pages, to_bytes);
}

void tw_pages_free(void *pages, size_t bytes)
{
    (void)bytes;
    g_free(pages);
}

#endif
