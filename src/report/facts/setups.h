/* SPDX-License-Identifier: MIT */
/*
 * Adds to findings about the handshake who did not answer, and why.
 */
#ifndef TW_REPORT_FACTS_SETUPS_H
#define TW_REPORT_FACTS_SETUPS_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "report/report_rows.h"

struct tw_listeners;
struct tw_connection_attempts;
struct tw_names;
struct tw_upstream;

struct tw_setups {
    const struct tw_listeners *listeners;
    const struct tw_connection_attempts *attempts;
    const struct tw_upstream *upstream; /* closed */
    const struct tw_names *names;       /* NULL: no DNS, ARP or NDP */
};

/* Does what silenced this listener concern its whole host? */
bool tw_setups_host_wide(const struct tw_setups *setups, const struct tcpwhy_endpoint *listener);

/* Are these many half-open connections a SYN flood: from as many addresses, of which none came
 * back?
 */
bool tw_setups_flooded(const struct tw_setups *setups, const struct tcpwhy_endpoint *listener,
                       uint64_t connections);

/* Append details (struct tcpwhy_detail, static texts) for a finding with that key, and say whose it
 * is where it is not the listener's. */
void tw_setups_tell(const struct tw_setups *setups, const struct tw_finding_row *key,
                    struct tw_finding_row *finding, tw_array *details);

/* The words of the detail "kind" of refused connections that have a remedy of their own. */
extern const char tw_kind_rejected[], tw_kind_unreachable[];

#endif
