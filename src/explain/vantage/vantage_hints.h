/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_VANTAGE_VANTAGE_HINTS_H
#define TW_EXPLAIN_VANTAGE_VANTAGE_HINTS_H

#include "track/track.h"

#define TW_NO_HOST (-1)

/* The side at whose host the capture surely was taken, or TW_NO_HOST. */
int tw_vantage_hints_host(const struct tw_connection *connection);

static inline enum tcpwhy_vantage tw_vantage_hints_at(int side)
{
    return side == TCPWHY_CLIENT ? TCPWHY_VANTAGE_CLIENT : TCPWHY_VANTAGE_SERVER;
}

/* Does a box on this link answer for a side? No router was passed from either side, one address is
 * private, and that side's is public. */
bool tw_vantage_hints_answers_for(const struct tw_connection *connection, int side);

/* The vantage that other signs in frames make likely, or unknown. */
enum tcpwhy_vantage tw_vantage_hints_by_looks(const struct tw_connection *connection);

#endif
