/* SPDX-License-Identifier: MIT */
#include "report/facts/probe_facts.h"

#include "base/array.h"
#include "base/digits.h"
#include "base/number.h"
#include "base/text.h"
#include "report/endpoints.h"
#include "report/facts/add_fact.h"
#include "report/facts/route.h"

#define MAX_GROUPS 3

/* Hops that one sentence lists; "tcpwhy as traceroute" has all. */
#define MAX_HOPS 8

static void append_host(tw_string *to, const struct tcpwhy_endpoint *of)
{
    struct tcpwhy_endpoint host = *of;

    host.port = 0;
    tw_string_append(to, tw_endpoint(&host).text);
}

static void append_endpoint(tw_string *to, const struct tcpwhy_endpoint *e)
{
    tw_string_append(to, tw_endpoint(e).text);
}

static void append_count(tw_string *to, uint64_t n)
{
    char digits[TW_DIGITS_GROUPED];

    tw_string_append_len(to, digits, tw_digits_grouped(digits, n) - digits);
}

/* "3 SYN probes from 10.0.0.1 to 10.0.0.2:80: min/avg/max 7.2/8.0/9.5 ms, 0% lost, ttl 63." */
static void append_ping(tw_string *to, const struct tw_probe_group *g,
                        const struct tw_probe_figures *f)
{
    append_count(to, f->sent);
    tw_string_append(to, f->sent == 1 ? " SYN probe from " : " SYN probes from ");
    append_host(to, &g->prober);
    tw_string_append(to, " to ");
    append_endpoint(to, &g->target);
    tw_string_append(to, ": ");
    if (f->answered > 0) {
        tw_string_append_printf(
            to, "min/avg/max %s/%s/%s ms, ", tw_fixed(f->min_ns, 6, 1, true).text,
            tw_fixed(f->mean_ns, 6, 1, true).text, tw_fixed(f->max_ns, 6, 1, true).text);
    }
    tw_string_append_printf(to, "%s lost",
                            tw_percent((double)f->lost / (double)MAX(f->sent, 1)).text);
    if (f->ttl)
        tw_string_append_printf(to, ", ttl %u", f->ttl);
    if (f->closed > 0)
        tw_string_append(to,
                         f->open > 0 ? ", the port was closed for some" : ", the port is closed");
    tw_string_append(to, " (tcpwhy as hping3).");
}

static void append_hop(tw_string *to, const struct tw_hop *hop)
{
    tcpwhy_ns least = TCPWHY_NS_UNKNOWN;

    for (uint32_t i = 0; i < hop->n_times; i++)
        if (hop->time_ns[i] != TCPWHY_NS_UNKNOWN &&
            (least == TCPWHY_NS_UNKNOWN || hop->time_ns[i] < least))
            least = hop->time_ns[i];
    tw_string_append_printf(to, "%u ", hop->ttl);
    if (!hop->address.version) {
        tw_string_append(to, "no answer");
        return;
    }
    append_host(to, &hop->address);
    tw_string_append_printf(to, " %s ms", tw_fixed(least, 6, 1, true).text);
}

/* "Hops from 10.0.0.1 to 10.0.1.2:80 by TCP: 1 10.0.0.254 8.4 ms, 2 10.0.1.2 8.4 ms." */
static void append_route(tw_string *to, const struct tw_probe_group *g)
{
    tw_array *hops = tw_route_hops(g);

    tw_string_append(to, "Hops by TCP from ");
    append_host(to, &g->prober);
    tw_string_append(to, " to ");
    append_endpoint(to, &g->target);
    for (guint i = 0; i < hops->len && i < MAX_HOPS; i++) {
        tw_string_append(to, i ? ", " : ": ");
        append_hop(to, &tw_array_index(hops, struct tw_hop, i));
    }
    if (hops->len > MAX_HOPS)
        tw_string_append_printf(to, ", %u more", hops->len - MAX_HOPS);
    tw_string_append(to, " (tcpwhy as traceroute).");
    tw_array_free(hops, TRUE);
}

static void tell(struct tcpwhy_report *r, const struct tw_probe_group *g)
{
    struct tw_probe_figures f = tw_probe_figures(g);
    bool route = tw_probe_group_is_route(g);
    struct tcpwhy_fact fact = { .fact = route ? "tcp_route" : "syn_probes",
                                .confidence = TCPWHY_CERTAIN,
                                .endpoint = g->target,
                                .count = f.answered,
                                .of = f.sent };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    if (f.sent == 0)
        return;
    if (route)
        append_route(text, g);
    else
        append_ping(text, g, &f);
    tw_add_fact(r, &fact, text);
}

void tw_probe_facts_find(struct tcpwhy_report *r)
{
    for (guint i = 0; i < r->probes->len && i < MAX_GROUPS; i++)
        tell(r, &tw_array_index(r->probes, struct tw_probe_group, i));
}

struct tw_probe_share tw_probe_facts_share(const struct tcpwhy_report *r,
                                           const struct tcpwhy_endpoint *listener)
{
    struct tw_probe_share share = { 0 };

    for (guint i = 0; i < r->probes->len; i++) {
        const struct tw_probe_group *g = &tw_array_index(r->probes, struct tw_probe_group, i);
        struct tw_probe_figures f;

        if (!tw_endpoint_equal(&g->target, listener))
            continue;
        f = tw_probe_figures(g);
        share.half_open += f.open;
        share.lost += f.lost;
    }
    return share;
}
