/* SPDX-License-Identifier: MIT */
/*
 * A sender that meets no ceiling and loses nothing, stepped round trip by round trip: its flight
 * doubles (slow start, RFC 5681, 3.1) until it fills the path. A receive window that the receiver
 * grows with what arrives holds it back where it starts large.
 */
#ifndef TW_EXPLAIN_MODEL_STEPPING_H
#define TW_EXPLAIN_MODEL_STEPPING_H

struct tw_stepping {
    double rtt_ns;          /* more than 0 */
    double bytes_per_s;     /* the path's rate; 0: it takes all at once */
    double cwnd_bytes;      /* now, more than 0 */
    double in_flight_bytes; /* of it, sent when the steps begin */
    double window_bytes;    /* the receive window, now; 0: no limit */
    double read_bytes;      /* what arrived in the last round trip, or 0 */
};

/* The time from the first to the last of these bytes. The window grows meanwhile, and all is in
 * flight afterwards. */
double tw_stepping_send(struct tw_stepping *stepping, double bytes);

#endif
