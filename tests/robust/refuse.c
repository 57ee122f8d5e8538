/* SPDX-License-Identifier: MIT */
/*
 * Preloaded, refuses memory to the decoders: the REFUSE_AT-th allocation that one of them makes and
 * every later one; or that one alone of all code, where REFUSE_ONE is set.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static atomic_long asked;

static bool is_one_of(const void *caller, const char *const *libraries)
{
    Dl_info info;

    if (!dladdr(caller, &info) || !info.dli_fname)
        return false;
    for (; *libraries; libraries++)
        if (strstr(info.dli_fname, *libraries))
            return true;
    return false;
}

/* libseccomp frees twice what it could not build, and GLib's regular expressions use a context of
 * pcre2 that it could not make. */
static bool is_asked(const void *caller, bool one)
{
    static const char *const decoders[] = { "/libz.", "/libzstd.", "/liblz4.", "/liblzma.", NULL };
    static const char *const spared[] = { "/libseccomp.", "/libpcre2-", NULL };

    return one ? !is_one_of(caller, spared) : is_one_of(caller, decoders);
}

static bool refuses(const void *caller)
{
    const char *at = getenv("REFUSE_AT");
    bool one = getenv("REFUSE_ONE");
    long n;

    if (!at || !is_asked(caller, one))
        return false;
    n = atomic_fetch_add(&asked, 1) + 1 - strtol(at, NULL, 10);
    if (n < 0 || (one && n > 0))
        return false;
    errno = ENOMEM;
    return true;
}

#include "../refusing.h"
