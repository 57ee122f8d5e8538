/* SPDX-License-Identifier: MIT */
/*
 * Ledgers as folded stacks. Every frame is an address, a number or the name of a cause: nothing in
 * them can hold the semicolons, blanks and line feeds that part stacks.
 */
#include "base/counts.h"
#include "base/ns.h"
#include "render/view/view.h"

struct folded {
    struct tw_writer *out;
    /* Of each cause, what has gone by, and how many of its milliseconds stand in lines. */
    tcpwhy_ns seen_ns[TW_N_CAUSES];
    tcpwhy_ns written_ms[TW_N_CAUSES];
};

static void stack(struct folded *folded, const struct tw_stream_row *s, int cause, tcpwhy_ns ns)
{
    tcpwhy_ns ms;
    char *line;

    folded->seen_ns[cause] = tw_ns_add(folded->seen_ns[cause], ns);
    ms = (folded->seen_ns[cause] + TCPWHY_MS(1) / 2) / TCPWHY_MS(1) - folded->written_ms[cause];
    if (ms == 0)
        return;
    folded->written_ms[cause] += ms;
    line = tw_strdup_printf("%s;%s;stream_%u;%s %" G_GINT64_FORMAT "\n", tw_host(&s->server).text,
                            tw_endpoint(&s->server).text, s->stream,
                            tcpwhy_cause_info((enum tcpwhy_cause)cause)->name, (gint64)ms);
    tw_writer_text(folded->out, line);
    tw_free(line);
}

static bool fold(void *user, const struct tw_stream_row *s)
{
    struct folded *folded = user;
    tcpwhy_ns ns[TW_N_CAUSES] = { 0 };

    for (size_t k = 0; k < s->n_ledger; k++)
        ns[s->ledger[k].cause] = tw_ns_add(ns[s->ledger[k].cause], s->ledger[k].ns);
    for (int cause = 0; cause < TW_N_CAUSES; cause++)
        stack(folded, s, cause, ns[cause]);
    return !folded->out->stopped;
}

void tw_ledger_folded(const struct tw_request *request, struct tw_writer *out)
{
    struct folded folded = { .out = out };

    tw_report_visit_streams(request->report, fold, &folded);
}
