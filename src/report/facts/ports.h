/* SPDX-License-Identifier: MIT */
/*
 * Source ports that a client host used towards a listener: their number, and those that it reused
 * soon.
 */
#ifndef TW_REPORT_FACTS_PORTS_H
#define TW_REPORT_FACTS_PORTS_H

#include <glib.h>

#include "base/array.h"
#include "report/facts/connection_attempts.h"

/*
 * errors: struct tw_error_answer, those of proxies speak of ports that they had not.
 * Tell openings apart by client and listener, and put the views (struct tcpwhy_ports) of those that
 * used the most ports among the views of earlier ones; listeners by number: endpoint_of tells which
 * one that is.
 */
void tw_ports_count(const struct tw_opening *attempts, guint n, const tw_array *errors,
                    tw_array *views,
                    struct tcpwhy_endpoint (*endpoint_of)(gconstpointer user, guint listener),
                    gconstpointer user);

#endif
