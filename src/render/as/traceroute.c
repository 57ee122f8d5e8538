/* SPDX-License-Identifier: MIT */
/* The layout of traceroute: a line a hop. */
#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "render/as/as.h"
#include "report/facts/route.h"
#include "report/report.h"

static void hop_json(struct tw_json *json, const struct tw_hop *hop)
{
    tw_json_object(json, NULL);
    tw_json_uint(json, "ttl", hop->ttl);
    tw_json_endpoint(json, "address", &hop->address);
    tw_json_bool(json, "target", hop->is_target);
    tw_json_uint(json, "sent", hop->sent);
    tw_json_uint(json, "lost", hop->lost);
    tw_json_array(json, "times_ms");
    for (uint32_t i = 0; i < hop->n_times; i++)
        tw_json_ms(json, NULL, hop->time_ns[i]);
    tw_json_end(json);
    tw_json_end(json);
}

static void hop_line(tw_string *to, const struct tw_hop *hop)
{
    tw_string_append_printf(to, "%2u  ", hop->ttl);
    if (hop->address.version)
        tw_string_append_printf(to, "%s%s", tw_host(&hop->address).text, hop->n_times ? "  " : "");
    for (uint32_t i = 0; i < hop->n_times; i++) {
        if (i > 0)
            tw_string_append(to, hop->time_ns[i] == TCPWHY_NS_UNKNOWN ? " " : "  ");
        if (hop->time_ns[i] == TCPWHY_NS_UNKNOWN)
            tw_string_append_c(to, '*');
        else
            tw_string_append_printf(to, "%s ms", tw_fixed(hop->time_ns[i], 6, 3, false).text);
    }
    if (hop->other.version)
        tw_string_append_printf(to, "  also %s", tw_host(&hop->other).text);
    tw_string_append_c(to, '\n');
}

static void route(struct tw_as *as, const struct tw_probe_group *g)
{
    tw_array *hops = tw_route_hops(g);
    const char *name = tcpwhy_report_name(as->request->report, &g->target);
    const struct tw_short_text host = tw_host(&g->target);

    tw_string_append_printf(as->lines, "traceroute to %s (%s), %u hops max, port %u by TCP\n",
                            name ? name : host.text, host.text,
                            hops->len ? tw_array_index(hops, struct tw_hop, hops->len - 1).ttl : 0,
                            g->target.port);
    if (as->json) {
        tw_json_object(as->json, NULL);
        tw_json_endpoint(as->json, "prober", &g->prober);
        tw_json_endpoint(as->json, "target", &g->target);
        tw_json_array(as->json, "hops");
    }
    for (guint i = 0; i < hops->len; i++) {
        hop_line(as->lines, &tw_array_index(hops, struct tw_hop, i));
        if (as->json)
            hop_json(as->json, &tw_array_index(hops, struct tw_hop, i));
    }
    if (as->json) {
        tw_json_end(as->json);
        tw_json_end(as->json);
    }
    tw_array_free(hops, TRUE);
}

void tw_as_traceroute(struct tw_as *as)
{
    const tw_array *groups = as->request->report->probes;
    guint routes = 0;

    if (as->json)
        tw_json_array(as->json, "routes");
    for (guint i = 0; groups && i < groups->len; i++) {
        const struct tw_probe_group *g = &tw_array_index(groups, struct tw_probe_group, i);

        if (!tw_probe_group_is_route(g))
            continue;
        if (routes++ > 0)
            tw_string_append_c(as->lines, '\n');
        route(as, g);
    }
    if (as->json)
        tw_json_end(as->json);
    if (routes == 0)
        tw_string_append(as->lines, "No route: no router answered a SYN by ICMP time exceeded.\n");
    else
        tw_as_note(as, "The TTL of a hop is that of the SYN as captured: away from the prober it "
                       "is less by the routers before.");
}
