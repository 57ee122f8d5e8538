/* SPDX-License-Identifier: MIT */
/*
 * Clients whose IPv6 attempt fails and that continue with IPv4 (RFC 8305): one user's wait, seen as
 * two connections to two hosts.
 */
#ifndef TW_REPORT_FACTS_IP_FALLBACK_H
#define TW_REPORT_FACTS_IP_FALLBACK_H

#include <glib.h>

#include "base/array.h"
#include "report/facts/connection_attempts.h"

struct tw_ip_fallback {
    uint32_t stream, instead;                /* in vain, and the one that was answered */
    struct tcpwhy_endpoint client, server;   /* of the first ... */
    struct tcpwhy_endpoint client4, server4; /* ... and of the second */
    tcpwhy_ns asked_ns, began_ns;            /* first SYNs of both */
    uint32_t frame, instead_frame;           /* of the first SYNs */
    uint32_t syns;                           /* of the first */
    bool sure;                               /* no other host may have been meant */
};

/* The fallbacks among openings whose last SYNs are settled; end_ns: of the capture. @return struct
 * tw_ip_fallback in the order of their times; to free with tw_array_free(). */
tw_array *tw_ip_fallbacks(struct tw_connection_attempts *attempts,
                          struct tcpwhy_endpoint (*endpoint)(gconstpointer listeners, guint number),
                          gconstpointer listeners, tcpwhy_ns end_ns);

#endif
