/* SPDX-License-Identifier: MIT */
/*
 * A server that itself waits: while somebody waited for it, it waited on another connection for an
 * answer. The cause of that delay is the one behind.
 */
#ifndef TW_REPORT_FINDINGS_UPSTREAM_H
#define TW_REPORT_FINDINGS_UPSTREAM_H

#include <glib.h>

#include "names/lookups.h"
#include "report/findings/one_at_a_time.h"
#include "report/findings/relayed.h"
#include "report/report_rows.h"
#include "report/rows/connection_row.h"

struct tw_upstream;

struct tw_upstream *tw_upstream_new(guint most);
struct tw_upstream *tw_upstream_copy(const struct tw_upstream *upstream);
void tw_upstream_free(struct tw_upstream *upstream);
size_t tw_upstream_bytes(const struct tw_upstream *upstream);

/* Take a connection's think times, and the waits of its client. */
void tw_upstream_add(struct tw_upstream *upstream, const struct tw_connection_row *conn);

/* Before the close: take what hosts asked resolvers for. The lookups live as long. */
void tw_upstream_add_lookups(struct tw_upstream *upstream, const struct tw_lookups *lookups);

/* After the last one: relate the waits of hosts to the waits for them. */
void tw_upstream_close(struct tw_upstream *upstream);

/* For the finding with that key (tw_finding_accumulator_describe()), after the close. @return
 * whether that host waited for another one most of the time. */
bool tw_upstream_of(const struct tw_upstream *upstream, const struct tw_finding_row *key,
                    struct tw_relayed *out);

/* After the close: did that server serve one request at a time? */
bool tw_upstream_queued(const struct tw_upstream *upstream, const struct tcpwhy_endpoint *server,
                        struct tw_queued *out);

#endif
