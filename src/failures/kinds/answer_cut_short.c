/* SPDX-License-Identifier: MIT */
/*
 * The server closes before the answer has the length that it announced, or its last chunk.
 */
#include "failures/kind.h"
#include "failures/silence.h"

/* Bytes missing from the capture were not withheld by the server. */
static bool has_holes(const struct tw_cut *cut, enum tcpwhy_side server)
{
    return cut->connection->side[server].holes.n > 0;
}

/* The last time that the client's window was closed within the answer, and when it opened, or the
 * server closed. */
struct closed {
    uint32_t from, to;
};

static struct closed find_closed(const struct tw_cut *cut, const struct tw_exchange *e,
                                 uint32_t fin)
{
    struct closed c = { TW_NO_RECORD, TW_NO_RECORD };

    for (uint32_t i = e->response_first; i < fin; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from != (uint8_t)e->asker || !(r->flags & TW_ACK) || r->flags & TW_RST)
            continue;
        if (r->window_bytes == 0 && c.to != fin)
            c = (struct closed) { i, fin };
        else if (r->window_bytes > 0 && c.to == fin)
            c.to = i;
    }
    return c;
}

/* A server's timeout expires while it cannot write; what its kernel still holds comes before the
 * FIN, as soon as the window opens. */
static void tell_closed(const struct tw_cut *cut, const struct tw_exchange *e, uint32_t fin,
                        struct tw_failure *out)
{
    const struct closed c = find_closed(cut, e, fin);
    tcpwhy_ns closed_ns;

    if (c.from == TW_NO_RECORD)
        return;
    closed_ns = tw_cut_between(cut, c.from, c.to);
    if (closed_ns < TW_SILENCE_NS || tw_cut_between(cut, c.to, fin) > tw_cut_under_way(cut))
        return;
    out->after_ns = closed_ns;
    tw_failure_frame(out, cut, c.from);
    tw_failure_clue(out, TW_CLUE_NOT_READ, (double)closed_ns / 1e9, 0);
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const struct tw_exchange *e = cut->part;
    enum tcpwhy_side server;
    const struct tw_record *fin;

    if (!e || !e->framed || e->at_will || cut->open)
        return false;
    server = tw_other(e->asker);
    fin = tw_cut_record(cut, cut->fin[server]);
    if (!fin || has_holes(cut, server) || fin->seq > e->response_to ||
        e->response_first >= cut->fin[server] || tw_cut_closed_unasked(cut, e->asker))
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_ANSWER_CUT_SHORT, TCPWHY_FAILED_TRANSFER,
                     TCPWHY_SEEN_SHORT_READ);
    out->who = TCPWHY_BY_SERVER;
    out->time_ns = fin->time_ns;
    out->after_ns = tw_cut_between(cut, e->response_first, cut->fin[server]);
    tw_failure_frame(out, cut, e->response_first);
    tw_failure_frame(out, cut, cut->fin[server]);
    tw_failure_clue(out, TW_CLUE_RECEIVED, (double)tw_cut_received(cut, e), e->status);
    tell_closed(cut, e, cut->fin[server], out);
    return true;
}

const struct tw_failure_detector tw_failure_answer_cut_short = {
    .kind = TCPWHY_FAILURE_ANSWER_CUT_SHORT,
    .find = find,
};
