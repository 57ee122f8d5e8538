/* SPDX-License-Identifier: MIT */
/*
 * A sender that meets no ceiling and loses nothing, stepped round trip by round trip: its flight
 * doubles (slow start, RFC 5681, 3.1) until it fills the path or ends at a bound.
 */
#ifndef TW_EXPLAIN_MODEL_STEPPING_H
#define TW_EXPLAIN_MODEL_STEPPING_H

struct tw_stepping {
    double rtt_ns;          /* more than 0 */
    double bytes_per_s;     /* the path's rate; 0: it takes all at once */
    double cwnd_bytes;      /* now, more than 0 */
    double in_flight_bytes; /* of it, sent when the steps begin */
};

/* The time from the first to the last of these bytes. The window grows meanwhile, and all is in
 * flight afterwards. */
double tw_stepping_send(struct tw_stepping *stepping, double bytes);

#endif
