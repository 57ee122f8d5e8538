/* SPDX-License-Identifier: MIT */
/*
 * Source ports that a client host had in use at once towards one listener, and the times at which
 * it had none left.
 */
#ifndef TW_REPORT_FACTS_PORT_USE_H
#define TW_REPORT_FACTS_PORT_USE_H

#include <glib.h>

#include "base/array.h"
#include "report/facts/connection_attempts.h"

/* An answer with a failure of the server or behind it (a status of 5xx). */
struct tw_error_answer {
    tcpwhy_ns at_ns, took_ns;
    guint listener;
};

/* One client host with one listener. */
struct tw_port_pair_use {
    const struct tw_opening **opening; /* in order of time */
    guint n;
};

/* Memory for counting: a block for all pairs, one after the other. */
struct tw_port_counter {
    guint *last;       /* by port, from the pair's lowest: 1 + index of the opening that used it
                        * last, 0 none; zero between pairs */
    guint span;        /* its length */
    tcpwhy_ns *end_ns; /* when each opening's port is free again */
    tcpwhy_ns *kept_ns[2];
    tw_array *full; /* struct tw_full_time, in order of time */
};

struct tw_full_time {
    tcpwhy_ns from_ns, to_ns;
};

void tw_port_counter_init(struct tw_port_counter *counter, guint most_openings);
void tw_port_counter_clear(struct tw_port_counter *counter);

/* Count ports, those in use at once, sockets in TIME-WAIT, and the time in which a block of ports
 * had none left (counter->full); the view's lowest and highest port are known. */
void tw_port_use_count(const struct tw_port_pair_use *pair, struct tw_port_counter *counter,
                       struct tcpwhy_ports *view);

/* Count the view's errors in times without a free port. */
void tw_port_use_errors(const struct tw_port_counter *counter, const tw_array *errors,
                        bool (*is_of)(gconstpointer user, guint listener), gconstpointer user,
                        struct tcpwhy_ports *view);

/* Are the ports a block that somebody has set, with one end of it as well used as the other? */
bool tw_port_use_is_block(const struct tcpwhy_ports *view);

#endif
