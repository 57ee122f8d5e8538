/* SPDX-License-Identifier: MIT */
/* Credits of SMB 2, which a client waited for. */
#include "base/tuple.h"
#include "report/rows/stream_facts.h"

void tw_stream_smb2_find(const struct tw_connection_result *r, struct tw_fact_list *list)
{
    const struct tw_exchanges *all = r->exchanges;
    const struct tw_window_waits *waits = all && all->facts ? &all->facts->credits : NULL;
    struct tcpwhy_fact fact = { .fact = "smb2_credit_waits", .confidence = TCPWHY_CERTAIN };

    if (!waits || waits->n == 0 || all->n == 0)
        return;
    fact.endpoint = tw_tuple_endpoint(&r->connection->tuple, all->exchange[0].asker);
    fact.count = waits->n;
    fact.frame = waits->frame;
    tw_fact_list_add(list, &fact,
                     "The client used up its SMB credits %u times, and waited %.1f ms for more, "
                     "first before frame %u.",
                     (unsigned)waits->n, (double)waits->ns / 1e6, (unsigned)waits->frame);
}
