/* SPDX-License-Identifier: MIT */
/*
 * The time-sequence graph of Stevens and tcptrace: segments as bars from their first byte to their
 * last, SYN and FIN by themselves, below them the line of ACKs, above them the edge of the window;
 * as the vantage saw them.
 */
#include "report/series/series_kind.h"

struct curves {
    struct tw_curve *data, *out_of_order, *probe, *repeat, *ack, *edge, *sack;
};

static struct tw_curve *curve_of(const struct curves *c, const struct tw_record *r)
{
    switch (r->frame_class) {
    case TCPWHY_CLASS_RETRANSMISSION:
    case TCPWHY_CLASS_DUPLICATE_FRAME:
        return c->repeat;
    case TCPWHY_CLASS_OUT_OF_ORDER:
        return c->out_of_order;
    case TCPWHY_CLASS_WINDOW_PROBE:
    case TCPWHY_CLASS_KEEP_ALIVE:
        return c->probe;
    default:
        return c->data;
    }
}

static void add_sent(const struct curves *c, const struct tw_record *r)
{
    bool syn = r->flags & TW_SYN;
    int64_t end = r->seq + syn + r->len;
    struct tw_curve *curve = curve_of(c, r);

    if (syn)
        tw_curve_add(curve, r->time_ns, r->seq, r->seq + 1, r->frame);
    /* A keep-alive or a probe without payload still asks at its sequence number. */
    if (r->len > 0 || curve == c->probe)
        tw_curve_add(curve, r->time_ns, r->seq + syn, end, r->frame);
    if (r->flags & TW_FIN)
        tw_curve_add(curve, r->time_ns, end, end + 1, r->frame);
}

static void add_heard(const struct curves *c, const struct tw_log *log, const struct tw_record *r)
{
    if (!(r->flags & TW_ACK) || r->flags & TW_RST)
        return;
    tw_curve_add(c->ack, r->time_ns, r->ack, r->ack, r->frame);
    if (tw_record_knows_window(r))
        tw_curve_add(c->edge, r->time_ns, r->ack + r->window_bytes, r->ack + r->window_bytes,
                     r->frame);
    for (uint32_t i = 0; i < r->n_sack && r->sack + i < log->n_sack; i++)
        tw_curve_add(c->sack, r->time_ns, log->sack[r->sack + i].from, log->sack[r->sack + i].to,
                     r->frame);
}

void tw_series_sequence(const struct tw_series_scene *scene)
{
    struct tw_series *s = scene->series;
    const struct tw_log *log = scene->log;
    const struct curves c = { .edge = tw_series_curve(s, TW_ROLE_EDGE, TW_MARK_STEP),
                              .data = tw_series_curve(s, TW_ROLE_DATA, TW_MARK_BAR),
                              .ack = tw_series_curve(s, TW_ROLE_ACK, TW_MARK_STEP),
                              .sack = tw_series_curve(s, TW_ROLE_SACK, TW_MARK_BAR),
                              .out_of_order = tw_series_curve(s, TW_ROLE_OUT_OF_ORDER, TW_MARK_BAR),
                              .probe = tw_series_curve(s, TW_ROLE_PROBE, TW_MARK_BAR),
                              .repeat = tw_series_curve(s, TW_ROLE_RETRANSMISSION, TW_MARK_BAR) };

    for (uint32_t i = 0; i < log->n; i++) {
        if (log->record[i].from == s->from)
            add_sent(&c, &log->record[i]);
        else
            add_heard(&c, log, &log->record[i]);
    }
}
