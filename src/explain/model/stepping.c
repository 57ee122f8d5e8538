/* SPDX-License-Identifier: MIT */
#include "explain/model/stepping.h"

#include <glib.h>

/* 0 in a path that takes all at once. */
static double serialization_ns(const struct tw_stepping *s, double bytes)
{
    return s->bytes_per_s > 0 ? bytes / s->bytes_per_s * 1e9 : 0;
}

static double allowed(const struct tw_stepping *s)
{
    return s->window_bytes > 0 ? MIN(s->cwnd_bytes, s->window_bytes) : s->cwnd_bytes;
}

/* All in flight is acknowledged. Those ACKs offer a window of twice the bytes that the program had
 * read in a round trip by then (Linux: tcp_rcv_space_adjust()), or twice that, since flights double
 * meanwhile. */
static void end_round(struct tw_stepping *s)
{
    const double flight = allowed(s);

    s->cwnd_bytes += flight;
    if (s->window_bytes > 0)
        s->window_bytes = MAX(s->window_bytes, 2 * 2 * s->read_bytes);
    s->read_bytes = flight;
}

double tw_stepping_send(struct tw_stepping *s, double bytes)
{
    double flight = MAX(allowed(s) - s->in_flight_bytes, 0), ns = 0;

    while (bytes > flight && s->cwnd_bytes > 0 && serialization_ns(s, allowed(s)) < s->rtt_ns) {
        bytes -= flight;
        end_round(s);
        flight = allowed(s);
        ns += s->rtt_ns;
    }
    s->in_flight_bytes = MIN(bytes, s->cwnd_bytes);
    return ns + serialization_ns(s, bytes);
}
