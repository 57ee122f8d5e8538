/* SPDX-License-Identifier: MIT */
/*
 * In builds with -Dsweep=true alone: the factor of each threshold, set by tests/sweep, or by the
 * environment as TCPWHY_SWEEP="NAME=0.5". One thread only.
 */
#include <stdlib.h>
#include <string.h>

#include "explain/thresholds.h"

#define MOST_THRESHOLDS 512

static struct tw_sweep all[MOST_THRESHOLDS];

static double factor_from_environment(const char *name)
{
    const char *set = getenv("TCPWHY_SWEEP");
    size_t len = strlen(name);

    return set && strncmp(set, name, len) == 0 && set[len] == '=' ? strtod(set + len + 1, NULL) : 1;
}

struct tw_sweep *tw_sweep_of(const char *name)
{
    struct tw_sweep *s = all;

    while (s->name && strcmp(s->name, name) != 0)
        if (++s == all + MOST_THRESHOLDS)
            abort();
    if (!s->name)
        *s = (struct tw_sweep) { .name = name, .factor = factor_from_environment(name) };
    return s;
}
