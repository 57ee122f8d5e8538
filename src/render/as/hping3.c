/* SPDX-License-Identifier: MIT */
/* The layout of hping3: a line an answer, then the figures. */
#include <string.h>

#include "base/array.h"
#include "base/number.h"
#include "base/text.h"
#include "render/as/as.h"
#include "report/facts/probes.h"
#include "report/report.h"

static struct tw_short_text ms(tcpwhy_ns ns)
{
    return tw_fixed(ns, 6, 1, false);
}

static void answer(tw_string *to, const struct tw_probe_group *g, const struct tw_probe *p,
                   guint seq)
{
    struct tcpwhy_endpoint router = { .version = g->target.version };

    switch (p->answer) {
    case TW_PROBE_OPEN:
    case TW_PROBE_CLOSED:
        tw_string_append_printf(to, "ip=%s ttl=%u id=%u sport=%u flags=%s seq=%u win=%u rtt=",
                                tw_host(&g->target).text, p->answer_ttl, p->ip_id, g->target.port,
                                p->answer == TW_PROBE_OPEN ? "SA" : "RA", seq, p->window);
        break;
    case TW_PROBE_EXPIRED:
    case TW_PROBE_UNREACHABLE:
        memcpy(router.address, p->router, sizeof router.address);
        tw_string_append_printf(to, "%s from ip=%s seq=%u rtt=",
                                p->answer == TW_PROBE_EXPIRED ? "TTL expired" : "unreachable",
                                tw_host(&router).text, seq);
        break;
    default:
        return;
    }
    tw_string_append_printf(to, "%s ms\n", ms(p->answer_ns).text);
}

static void figures(struct tw_json *json, const struct tw_probe_group *g,
                    const struct tw_probe_figures *f)
{
    tw_json_object(json, NULL);
    tw_json_endpoint(json, "prober", &g->prober);
    tw_json_endpoint(json, "target", &g->target);
    tw_json_uint(json, "sent", f->sent);
    tw_json_uint(json, "answered", f->answered + f->expired);
    tw_json_uint(json, "open", f->open);
    tw_json_uint(json, "closed", f->closed);
    tw_json_uint(json, "expired", f->expired);
    tw_json_uint(json, "lost", f->lost);
    tw_json_ms(json, "min_ms", f->min_ns);
    tw_json_ms(json, "mean_ms", f->mean_ns);
    tw_json_ms(json, "max_ms", f->max_ns);
    tw_json_ms(json, "deviation_ms", f->deviation_ns);
    tw_json_known(json, "ttl", f->ttl != 0, f->ttl);
    tw_json_end(json);
}

static void group(struct tw_as *as, const struct tw_probe_group *g)
{
    struct tw_probe_figures f = tw_probe_figures(g);
    tw_string *to = as->lines;
    const char *name = tcpwhy_report_name(as->request->report, &g->target);
    const struct tw_short_text host = tw_host(&g->target);
    uint64_t received = f.answered + f.expired;

    tw_string_append_printf(to, "HPING %s ", name ? name : host.text);
    if (name)
        tw_string_append_printf(to, "(%s) ", host.text);
    tw_string_append_printf(to, "port %u: S set\n", g->target.port);
    for (guint i = 0; i < g->probes->len; i++)
        answer(to, g, &tw_array_index(g->probes, struct tw_probe, i), i);
    tw_string_append_printf(to, "\n--- %s hping statistic ---\n", name ? name : host.text);
    tw_string_append_printf(
        to,
        "%" G_GUINT64_FORMAT " packets transmitted, %" G_GUINT64_FORMAT
        " packets received, %s%% packet loss\n",
        f.sent, received, tw_as_real(f.sent ? 100.0 * (double)f.lost / (double)f.sent : 0, 0).text);
    if (f.answered > 0) {
        tw_string_append_printf(to, "round-trip min/avg/max = %s/%s/%s ms\n", ms(f.min_ns).text,
                                ms(f.mean_ns).text, ms(f.max_ns).text);
    }
    if (as->json)
        figures(as->json, g, &f);
}

void tw_as_hping3(struct tw_as *as)
{
    const tw_array *groups = as->request->report->probes;

    if (as->json)
        tw_json_array(as->json, "targets");
    for (guint i = 0; groups && i < groups->len; i++) {
        if (i > 0)
            tw_string_append_c(as->lines, '\n');
        group(as, &tw_array_index(groups, struct tw_probe_group, i));
    }
    if (as->json)
        tw_json_end(as->json);
    if (!groups || groups->len == 0)
        tw_string_append(as->lines, "No SYN probes: every SYN belongs to a connection.\n");
    else
        tw_as_note(as, "Times are from SYN to answer on the wire; hping3 adds the time until it "
                       "reads the answer from its own capture, some milliseconds on a busy host.");
}
