/* SPDX-License-Identifier: MIT */
/*
 * The end of a connection: an orderly close, a reset, or keep-alives that nobody answers. Nobody
 * waits for it.
 */
#include "explain/ending.h"

#include "explain/spans.h"

static enum tcpwhy_cause how_it_ends(const struct tw_log *log, uint32_t from)
{
    for (uint32_t i = from; i < log->n; i++) {
        if (log->record[i].flags & TW_RST)
            return TCPWHY_RESET;
        if (log->record[i].flags & TW_FIN)
            return TCPWHY_CLOSE;
        if (log->record[i].frame_class == TCPWHY_CLASS_KEEP_ALIVE)
            return TCPWHY_KEEP_ALIVE;
    }
    return TCPWHY_UNKNOWN;
}

void tw_ending_explain(const struct tw_log *log, uint32_t from, struct tw_explanation *out)
{
    const struct tw_record *r = &log->record[from];
    enum tcpwhy_cause cause = how_it_ends(log, from);
    const struct tw_span span = {
        .from_ns = r->time_ns,
        .to_ns = log->record[log->n - 1].time_ns,
        .cause = cause,
        .party = cause == TCPWHY_UNKNOWN    ? TCPWHY_PARTY_NONE
                 : r->from == TCPWHY_CLIENT ? TCPWHY_PARTY_CLIENT
                                            : TCPWHY_PARTY_SERVER,
        .from = (enum tcpwhy_side)r->from,
        .confidence = TCPWHY_CERTAIN,
        .first_record = from,
        .last_record = log->n - 1,
        .key_record = TW_NO_RECORD,
        .count = 1,
    };

    tw_spans_add(out, &span);
}
