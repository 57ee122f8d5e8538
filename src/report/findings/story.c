/* SPDX-License-Identifier: MIT */
#include "report/findings/story.h"

#include <glib.h>

#include "base/ns.h"
#include "report/endpoints.h"
#include "report/report_rows.h"

/* The root stands first. */
static const struct plot {
    const char *title;
    enum tcpwhy_cause cause[TW_STORY_PARTS];
    const char *words[TW_STORY_PARTS];
    bool always; /* the other part never is without the root */
} plots[] = {
    { "packet loss",
      { TCPWHY_LOSS_RECOVERY, TCPWHY_CONGESTION_WINDOW_LIMITED },
      { "in repairs", "because the sender slowed down" },
      .always = true },
    { "slow reader",
      { TCPWHY_ZERO_WINDOW, TCPWHY_RECEIVE_WINDOW_LIMITED },
      { "with the window closed", "with a small window" },
      .always = false },
};

/* Does the finding concern the place of the verdict, if that names one? */
static bool is_at(const struct tw_finding_row *f, const struct tcpwhy_verdict *v)
{
    return f->party == v->party &&
           (v->endpoint.version == 0 || (tw_endpoint_same_host(&f->endpoint, &v->endpoint) &&
                                         (v->endpoint.port == 0 || f->endpoint.port == 0 ||
                                          f->endpoint.port == v->endpoint.port)));
}

/* What the verdict's listener lost to a cause of its party, however little. */
static tcpwhy_ns in_ledger(const tcpwhy_report *report, enum tcpwhy_cause cause)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    tcpwhy_ns cost_ns = 0;
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(report, &n);

    for (size_t i = 0; i < n; i++) {
        if (n > 1 && !tw_endpoint_equal(&l[i].endpoint, &v->endpoint))
            continue;
        for (size_t k = 0; k < l[i].n_ledger; k++)
            if (l[i].ledger[k].cause == cause && l[i].ledger[k].party == v->party)
                cost_ns = tw_ns_add(cost_ns, l[i].ledger[k].ns);
    }
    return cost_ns;
}

/* A root that always is one counts even if it is too little for a finding. */
static tcpwhy_ns cost_of(const tcpwhy_report *report, const struct plot *plot, size_t part)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    tcpwhy_ns cost_ns = 0;
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    if (plot->cause[part] == v->cause)
        return v->cost_ns;
    for (size_t i = 0; i < n; i++)
        if (f[i].cause == plot->cause[part] && is_at(&f[i], v))
            cost_ns = tw_ns_add(cost_ns, f[i].cost_ns);
    return cost_ns == 0 && part == 0 && plot->always ? in_ledger(report, plot->cause[0]) : cost_ns;
}

static bool tell(const tcpwhy_report *report, const struct plot *plot, struct tw_story *out)
{
    enum tcpwhy_cause cause = tcpwhy_report_verdict(report)->cause;
    struct tw_story story = { .title = plot->title, .root = plot->cause[0] };

    if (cause != plot->cause[0] && cause != plot->cause[1])
        return false;
    for (size_t i = 0; i < TW_STORY_PARTS; i++) {
        story.part[i].words = plot->words[i];
        story.part[i].ns = cost_of(report, plot, i);
        story.cost_ns = tw_ns_add(story.cost_ns, story.part[i].ns);
        if (story.part[i].ns == 0)
            return false;
    }
    *out = story;
    return true;
}

bool tw_story_find(const tcpwhy_report *report, struct tw_story *story)
{
    for (size_t i = 0; i < G_N_ELEMENTS(plots); i++)
        if (tell(report, &plots[i], story))
            return true;
    return false;
}
