/* SPDX-License-Identifier: MIT */
/*
 * Openings by client host and listener, each in order of time.
 */
#ifndef TW_REPORT_FACTS_PORT_PAIRS_H
#define TW_REPORT_FACTS_PORT_PAIRS_H

#include "report/facts/connection_attempts.h"

struct tw_port_pairs {
    const struct tw_opening **opening; /* of the first pair, of the second ... */
    struct tw_port_pair {
        guint n;    /* openings */
        bool mixed; /* they did not come in order of time */
    } * pair;
    guint n;
};

void tw_port_pairs_find(const struct tw_opening *attempts, guint n, struct tw_port_pairs *out);
void tw_port_pairs_clear(struct tw_port_pairs *pairs);

#endif
