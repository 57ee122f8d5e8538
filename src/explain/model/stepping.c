/* SPDX-License-Identifier: MIT */
#include "explain/model/stepping.h"

#include <glib.h>

/* 0 in a path that takes all at once. */
static double serialization_ns(const struct tw_stepping *s, double bytes)
{
    return s->bytes_per_s > 0 ? bytes / s->bytes_per_s * 1e9 : 0;
}

double tw_stepping_send(struct tw_stepping *s, double bytes)
{
    double flight = MAX(s->cwnd_bytes - s->in_flight_bytes, 0), ns = 0;

    while (bytes > flight && s->cwnd_bytes > 0 && serialization_ns(s, s->cwnd_bytes) < s->rtt_ns) {
        bytes -= flight;
        s->cwnd_bytes *= 2;
        flight = s->cwnd_bytes;
        ns += s->rtt_ns;
    }
    s->in_flight_bytes = MIN(bytes, s->cwnd_bytes);
    return ns + serialization_ns(s, bytes);
}
