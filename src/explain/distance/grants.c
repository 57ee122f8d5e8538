/* SPDX-License-Identifier: MIT */
#include "explain/distance/grants.h"

#include <glib.h>
#include <string.h>

#include "explain/distance/readings.h"
#include "explain/distance/window_kinds.h"
#include "explain/model/stepping.h"
#include "explain/path/bottleneck_rate.h"
#include "explain/thresholds.h"

/* Well-known ports of the server (IANA), for captures that show no protocol. */
#define PORT_SSH     22
#define PORT_HTTPS   443
#define PORT_NETBIOS 139
#define PORT_SMB     445

const char tw_window_kind_http2[] = "HTTP/2 flow control";
const char tw_window_kind_tls[] = "flow control inside TLS";
const char tw_window_kind_ssh[] = "SSH or SFTP";
const char tw_window_kind_smb[] = "SMB";
const char tw_window_kind_reconnects[] = "a new connection each time";
const char tw_window_kind_echoes[] = "echoes of keys";

/* The protocol that sets the window; NULL: not known. */
static const char *kind_of(const struct tw_context *context)
{
    const struct tw_exchanges *all = context->exchanges;
    const char *protocol = all->n > 0 ? all->exchange[all->n - 1].protocol : "";
    uint16_t port = tw_tuple_endpoint(&context->connection->tuple, TCPWHY_SERVER).port;

    if (all->facts && all->facts->http2)
        return tw_window_kind_http2;
    if (strcmp(protocol, "ssh") == 0 || port == PORT_SSH)
        return tw_window_kind_ssh;
    if (strcmp(protocol, "smb2") == 0 || strcmp(protocol, "smb") == 0 || port == PORT_SMB ||
        port == PORT_NETBIOS)
        return tw_window_kind_smb;
    if (port == PORT_HTTPS || (all->n > 0 && strcmp(all->exchange[0].protocol, "tls") == 0))
        return tw_window_kind_tls;
    return NULL;
}

/* Blocks in flight at once: one, or as many as fit into an RTT. */
static double blocks_a_trip(const struct tw_app_window *w, tcpwhy_ns rtt_ns)
{
    double blocks = (double)w->bytes / (double)w->block_bytes;
    double trips = (double)(w->to_ns - w->from_ns) / (double)rtt_ns;

    return MAX(1.0, (double)(int64_t)(blocks / trips + 0.5));
}

/* Without the window, slow start doubles the flight each RTT (from RFC 6928's initial window), and
 * the last of it is acknowledged. */
static double slow_start_ns(const struct tw_context *context, enum tcpwhy_side side,
                            double path_rate)
{
    struct tw_stepping stepping = {
        .rtt_ns = (double)context->vantage.rtt_min_ns,
        .bytes_per_s = path_rate,
        .cwnd_bytes = TW_INITIAL_SEGMENTS * (double)context->sends[side].mss_bytes,
    };

    return stepping.rtt_ns + tw_stepping_send(&stepping, (double)context->app_window[side].bytes);
}

static void tell(const struct tw_context *context, const struct tw_span *as, tcpwhy_ns way_ns,
                 struct tw_explanation *out)
{
    const struct tw_app_window *w = &context->app_window[as->from];
    tcpwhy_ns rtt_ns = context->vantage.rtt_min_ns;
    tcpwhy_ns all_ns = out->span[out->n_spans - 1].to_ns - out->span[0].from_ns;
    double shown, path_rate = tw_bottleneck_rate(context, as->from, &shown);
    double without_ns = (double)(all_ns - way_ns) + slow_start_ns(context, as->from, path_rate);
    const char *kind = kind_of(context);

    if (kind)
        tw_readings_add_word(out, as, "kind", kind);
    tw_readings_add_number(out, as, "window_bytes",
                           (double)w->block_bytes * blocks_a_trip(w, rtt_ns));
    tw_readings_add_number(out, as, "rtt_us", (double)rtt_ns / 1e3);
    tw_readings_add_number(out, as, "rate_bytes_per_s",
                           (double)w->bytes * 1e9 / (double)(w->to_ns - w->from_ns));
    if (without_ns >= (double)all_ns)
        return;
    tw_readings_add_number(out, as, "took_ms", (double)all_ns / 1e6);
    tw_readings_add_number(out, as, "would_take_ms", without_ns / 1e6);
    tw_readings_add_word(out, as, "would_take_with", "a larger window");
}

static bool is_waited_for(const struct tw_context *context, const struct tw_app_window *w,
                          const struct tw_span *span)
{
    return span->from_ns >= w->from_ns && span->to_ns <= w->to_ns &&
           tw_readings_is_way(context, span);
}

/* Nothing shows that TCP would have released it: the next block may be an answer of its own. */
static void doubt(struct tw_explanation *x)
{
    for (uint32_t i = 0; i < x->n_readings; i++) {
        struct tw_span *span = &x->reading[i].span;

        if (span->confidence != TCPWHY_CERTAIN)
            continue;
        span->confidence = TCPWHY_LIKELY;
        span->rival = TCPWHY_ROUND_TRIPS;
    }
}

bool tw_grants_read(const struct tw_context *context, enum tcpwhy_side side,
                    struct tw_explanation *out)
{
    const struct tw_app_window *w = &context->app_window[side];
    const struct tw_span as = { .cause = TCPWHY_APP_WINDOW,
                                .party = tw_party_of(tw_other(side)),
                                .from = side };
    tcpwhy_ns way_ns = 0;

    for (uint32_t i = 0; i < out->n_spans; i++)
        if (is_waited_for(context, w, &out->span[i]))
            way_ns += out->span[i].to_ns - out->span[i].from_ns;
    if (w->grants == 0 || way_ns < TW_FLOW_OF_THOUGHT_NS)
        return false;
    for (uint32_t i = 0; i < out->n_spans; i++)
        if (is_waited_for(context, w, &out->span[i]))
            tw_readings_add(out, i, &as);
    if (w->ignored == 0)
        doubt(out);
    tell(context, &as, way_ns, out);
    return true;
}
