/* SPDX-License-Identifier: MIT */
#include "report/findings/repeated_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "explain/thresholds.h"

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of requests; @return how many. */
static uint32_t names_of(const struct tw_exchanges *all, const char **names)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < all->n; i++) {
        const struct tw_exchange *e = &all->exchange[i];

        if (e->request[0] && !e->of_session && e->response_first != TW_NO_RECORD)
            names[n++] = e->request;
    }
    return n;
}

/* More than half of them have one name. */
static struct tw_repeated_request most_frequent(const char **names, uint32_t n)
{
    uint32_t from = 0;

    qsort(names, n, sizeof *names, by_name);
    for (uint32_t i = 1; i <= n; i++) {
        if (i < n && strcmp(names[from], names[i]) == 0)
            continue;
        if (i - from > TW_MANY && i - from > n / 2)
            return (struct tw_repeated_request) { tw_strdup(names[from]), i - from };
        from = i;
    }
    return (struct tw_repeated_request) { NULL, 0 };
}

struct tw_repeated_request tw_repeated_request_find(const struct tw_exchanges *exchanges)
{
    const char **names;
    struct tw_repeated_request most;

    if (!exchanges || exchanges->n <= TW_MANY)
        return (struct tw_repeated_request) { NULL, 0 };
    names = tw_new(const char *, exchanges->n);
    most = most_frequent(names, names_of(exchanges, names));
    tw_free(names);
    return most;
}
