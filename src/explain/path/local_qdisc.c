/* SPDX-License-Identifier: MIT */
#include "explain/path/local_qdisc.h"

#include "base/select.h"
#include "explain/thresholds.h"

bool tw_local_qdisc_shows(struct tw_sender_timeline *x, const struct tw_log *log,
                          const struct tw_prescan *prescan, struct tw_scratch *scratch)
{
    return x->heard && x->to_sender == 0 && x->outdated >= TW_MANY &&
           x->outdated >= x->n / TW_QUARTER && log->n_leaps == 0 &&
           tw_sender_timeline_clock(x, prescan, scratch)->tick_ns > 0;
}

tcpwhy_ns tw_local_qdisc_ns(const struct tw_sender_timeline *x, const struct tw_send *s)
{
    return tw_tsval_clock_delay(&x->clock, &x->record[s->record]);
}

tcpwhy_ns tw_local_qdisc_median_ns(const struct tw_sender_timeline *x, struct tw_scratch *scratch)
{
    tcpwhy_ns *queued_ns = tw_scratch_get(scratch, x->n, sizeof *queued_ns), median_ns;

    for (uint32_t i = 0; i < x->n; i++)
        queued_ns[i] = tw_local_qdisc_ns(x, &x->send[i]);
    median_ns = x->n ? tw_select_ns(queued_ns, x->n, x->n / 2) : 0;
    tw_scratch_return(scratch, queued_ns);
    return median_ns;
}
