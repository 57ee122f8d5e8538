/* SPDX-License-Identifier: MIT */
#include "report/figures/phases.h"

#include "base/array.h"
#include "report/facts/name_rows.h"
#include "report/figures/operations.h"

static void put(struct tw_phases *p, enum tw_life_phase phase, tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    if (from_ns == TCPWHY_NS_UNKNOWN || to_ns == TCPWHY_NS_UNKNOWN || to_ns < from_ns)
        return;
    p->at_ns[phase] = from_ns;
    p->ns[phase] = to_ns - from_ns;
    p->start_ns = MIN(p->start_ns, from_ns);
}

static tcpwhy_ns later(tcpwhy_ns from_ns, tcpwhy_ns ns)
{
    return from_ns == TCPWHY_NS_UNKNOWN || ns == TCPWHY_NS_UNKNOWN ? TCPWHY_NS_UNKNOWN
                                                                   : from_ns + ns;
}

/* The setup of the connection, as its ledger has it. */
static tcpwhy_ns connect_ns(const struct tw_stream_row *s)
{
    tcpwhy_ns ns = 0;

    for (size_t i = 0; i < s->n_ledger; i++)
        if (s->ledger[i].cause == TCPWHY_HANDSHAKE || s->ledger[i].cause == TCPWHY_CONNECT_RETRY)
            ns += s->ledger[i].ns;
    return ns;
}

/* A flight of the TLS handshake; what stays encrypted begins with the first one in clear. */
static bool is_handshake(const struct tcpwhy_exchange *e)
{
    return e->of_session || g_str_has_prefix(e->request, "ClientHello");
}

/* TLS begins where TCP is set up. The last flight of the client ends it: what answers that are
 * tickets, for which nobody waits (RFC 8446, 4.6.1). */
static void put_tls(struct tw_phases *p, const struct tw_stream_row *s, size_t request)
{
    tcpwhy_ns from_ns = TCPWHY_NS_UNKNOWN, to_ns = s->exchanges[request].start_ns;
    bool resumes = false;

    for (size_t i = 0; i < request; i++) {
        const struct tcpwhy_exchange *e = &s->exchanges[i];

        if (!is_handshake(e) || e->start_ns == TCPWHY_NS_UNKNOWN)
            continue;
        if (from_ns == TCPWHY_NS_UNKNOWN)
            from_ns = p->ns[TW_LIFE_CONNECT] == TCPWHY_NS_UNKNOWN
                          ? e->start_ns
                          : p->at_ns[TW_LIFE_CONNECT] + p->ns[TW_LIFE_CONNECT];
        else if (!resumes) {
            to_ns = e->start_ns;
            resumes = true;
        }
    }
    put(p, TW_LIFE_TLS, from_ns, to_ns);
}

static void put_before(struct tw_phases *p, const struct tw_stream_row *s, size_t request,
                       const struct tcpwhy_before_syn *before)
{
    tcpwhy_ns way_ns = s->way_ns[TCPWHY_CLIENT] == TCPWHY_NS_UNKNOWN ? 0 : s->way_ns[0];
    tcpwhy_ns syn_ns = s->start_ns - way_ns;

    if (s->complete_start)
        put(p, TW_LIFE_CONNECT, syn_ns, syn_ns + connect_ns(s));
    if (before)
        put(p, TW_LIFE_NAME, before->start_ns,
            MIN(before->start_ns + before->lookup_ns + before->next_hop_ns, syn_ns));
    put_tls(p, s, request);
}

static struct tw_phases phases_of(const struct tw_stream_row *s, const struct tcpwhy_exchange *e)
{
    struct tw_phases p = { .stream = s->stream,
                           .server = s->server,
                           .e = *e,
                           .start_ns = e->start_ns,
                           .total_ns = TCPWHY_NS_UNKNOWN };
    tcpwhy_ns sent_ns = later(e->start_ns, e->request_ns);
    tcpwhy_ns first_ns = later(e->start_ns, e->first_byte_ns);

    for (int i = 0; i < TW_LIFE_PHASES; i++)
        p.at_ns[i] = p.ns[i] = TCPWHY_NS_UNKNOWN;
    if (e->start_ns == TCPWHY_NS_UNKNOWN)
        return p;
    if (first_ns != TCPWHY_NS_UNKNOWN && sent_ns > first_ns) /* answered before it was complete */
        sent_ns = first_ns;
    put(&p, TW_LIFE_SEND, e->start_ns, sent_ns);
    put(&p, TW_LIFE_WAIT, sent_ns, first_ns);
    put(&p, TW_LIFE_RECEIVE, first_ns, later(e->start_ns, e->total_ns));
    return p;
}

static void add_stream(tw_array *rows, const struct tw_stream_row *s,
                       const struct tcpwhy_before_syn *before,
                       const struct tcpwhy_render_options *options)
{
    bool first = true, tls = false;

    for (size_t k = 0; k < s->n_exchanges; k++) {
        const struct tcpwhy_exchange *e = &s->exchanges[k];
        struct tw_phases p;

        tls |= is_handshake(e);
        if (is_handshake(e) || !e->request_frame)
            continue;
        p = phases_of(s, e);
        p.host = s->server_name;
        p.tls = tls;
        if (first)
            put_before(&p, s, k, before);
        first = false;
        if (e->total_ns != TCPWHY_NS_UNKNOWN)
            p.total_ns = e->start_ns + e->total_ns - p.start_ns;
        if (tw_operations_select(options, e))
            tw_array_append_val(rows, p);
    }
}

tw_array *tw_phases_of(const tcpwhy_report *report, const struct tcpwhy_render_options *options)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct tw_phases));
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(report, &n);

    for (size_t i = 0; i < n; i++)
        add_stream(rows, &s[i], tw_before_syn_of(report, s[i].stream), options);
    return rows;
}

static int by_ns(gconstpointer a, gconstpointer b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

tcpwhy_ns tw_phases_median(const tw_array *rows, enum tw_life_phase phase)
{
    tw_array *all = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    tcpwhy_ns median = TCPWHY_NS_UNKNOWN;

    for (guint i = 0; i < rows->len; i++) {
        tcpwhy_ns ns = tw_array_index(rows, struct tw_phases, i).ns[phase];

        if (ns != TCPWHY_NS_UNKNOWN)
            tw_array_append_val(all, ns);
    }
    tw_array_sort(all, by_ns);
    if (all->len > 0)
        median = tw_array_index(all, tcpwhy_ns, (all->len - 1) / 2);
    tw_array_free(all, TRUE);
    return median;
}
