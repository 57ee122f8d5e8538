/* SPDX-License-Identifier: MIT */
#ifndef LAB_PLAN_H
#define LAB_PLAN_H

#include <stdbool.h>
#include <stddef.h>

struct step {
    char verb[16];
    long n;
};

struct flow {
    unsigned short port;
    unsigned connections;
    double start_ms, stagger_ms;
    int nodelay; /* -1: as lwIP has it */
    struct step *steps;
    size_t n_steps;
};

struct plan {
    char local[16], peer[16];
    unsigned seconds, until_ms; /* 0: until all is done */
    struct flow *flows;
    size_t n_flows;
};

/* Read the plan of one host, as written by foreign.py; exits on unknown input. */
struct plan *plan_read(const char *path);

#endif
