/* SPDX-License-Identifier: MIT */
#include "explain/explain.h"

#include "explain/timeline/handshake.h"
#include "explain/loss/recovery.h"
#include "explain/attribute/attribute.h"
#include "explain/attribute/details.h"
#include "explain/distance/distance.h"
#include "explain/timeline/teardown.h"
#include "explain/path/local_qdisc.h"
#include "explain/path/round_trips.h"
#include "explain/sender/sender_timeline_build.h"
#include "explain/spans.h"
#include "explain/weighings.h"
#include "explain/model/app_window.h"
#include "explain/model/timer_ticks.h"
#include "explain/vantage/vantage.h"
#include "explain/timeline/timeline.h"
#include "explain/thresholds.h"

/* The first record of a side from which on the receiver waits for what is missing before it. */
static const struct tw_record *beyond_of(const struct tw_log *log, int side, int64_t acked)
{
    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++)
        if (r->from == side && r->facts & TW_FACT_HOLE_BEFORE && r->seq > acked)
            return r;
    return NULL;
}

/* Facts of the whole connection that each gap is compared with. */
static void find_holes(struct tw_context *context)
{
    const struct tw_log *log = context->log;

    for (int i = 0; i < 2; i++) {
        const struct tw_side *side = &context->connection->side[i];

        context->hole_bytes[i] = tw_ranges_overlap(&side->holes, MAX(1, side->acked), side->next);
        context->beyond[i] =
            context->hole_bytes[i] > 0 ? beyond_of(log, i, MAX(1, side->acked)) : NULL;
    }
    for (uint32_t i = 0; i < log->n_icmp; i++)
        if (log->icmp[i].kind == TW_ICMP_TOO_BIG)
            context->too_big[log->icmp[i].to] = true;
}

/* Was it requested before the previous answer was complete? */
static bool is_pipelined(const struct tw_exchange *e, const struct tw_exchange *before)
{
    return e->asker == before->asker && e->request_last != TW_NO_RECORD &&
           before->response_last != TW_NO_RECORD && e->request_last < before->response_last;
}

/* Does a message of the side have several segments, or do its answers follow each other? Only then
 * are there rounds. */
static bool has_long_messages(const struct tw_exchanges *exchanges, enum tcpwhy_side side)
{
    for (uint32_t i = 0; i < exchanges->n; i++) {
        const struct tw_exchange *e = &exchanges->exchange[i];

        if (e->asker == side
                ? e->request_first != e->request_last
                : e->response_first != e->response_last || (i > 0 && is_pipelined(e, e - 1)))
            return true;
    }
    return false;
}

/* A message of the side begins at this record, later than the previous ones. */
static void mark_beginning(struct tw_sender_timeline *x, uint32_t *next, uint32_t first_record)
{
    while (*next < x->n && x->send[*next].record < first_record)
        (*next)++;
    if (*next < x->n && x->send[*next].record == first_record)
        x->send[*next].is |= TW_SEND_BEGINS;
}

static void mark_beginnings(struct tw_context *context)
{
    const struct tw_exchanges *exchanges = context->exchanges;
    uint32_t next[2] = { 0, 0 };

    for (uint32_t i = 0; i < exchanges->n; i++) {
        const struct tw_exchange *e = &exchanges->exchange[i];
        enum tcpwhy_side answerer = tw_other(e->asker);

        if (e->request_first != TW_NO_RECORD)
            mark_beginning(&context->sends[e->asker], &next[e->asker], e->request_first);
        if (e->response_first != TW_NO_RECORD)
            mark_beginning(&context->sends[answerer], &next[answerer], e->response_first);
    }
}

/* A distant sender's segments carry no timestamps. */
static bool link_rate_known(const struct tw_context *context, int sender)
{
    return context->vantage.to_side_ns[sender] > 0 && !context->prescan.first_stamped[sender] &&
           context->log->inflow_rate[!sender] > 0;
}

static void set_scene(struct tw_context *context)
{
    const struct tw_log *log = context->log;

    find_holes(context);
    for (int i = 0; i < 2; i++)
        context->prescan.long_messages[i] =
            has_long_messages(context->exchanges, (enum tcpwhy_side)i);
    tw_sender_timeline_build(context->connection, log, &context->prescan, &context->vantage,
                             context->scratch, context->sends);
    if (context->prescan.long_messages[0] || context->prescan.long_messages[1])
        mark_beginnings(context);
    for (int i = 0; i < 2; i++) {
        struct tw_sender_timeline *sends = &context->sends[i];

        tw_recovery_build(log, sends, &context->vantage, context->scratch, &context->recovery[i]);
        context->rounds[i] = (struct tw_rounds) { 0 };
        if (context->prescan.long_messages[i])
            tw_rounds_build(sends, &context->vantage, context->scratch, &context->rounds[i]);
        context->local_qdisc[i] =
            tw_local_qdisc_shows(sends, log, &context->prescan, context->scratch);
        context->link_rate_known[i] = link_rate_known(context, i);
        tw_app_window_find(context, (enum tcpwhy_side)i);
        if (sends->heard)
            context->timer_ticks[i] = tw_timer_ticks_find(
                sends, &context->rounds[i], context->vantage.rtt_min_ns, log->clock_step_ns);
    }
}

static void count_repairs(const struct tw_context *context, struct tw_repair_counts *out)
{
    for (int i = 0; i < 2; i++) {
        const struct tw_recovery *r = &context->recovery[i];

        out->fast += r->repairs[TW_RECOVERY_FAST];
        out->probes += r->repairs[TW_RECOVERY_PROBE];
        out->timeouts += r->repairs[TW_RECOVERY_RTO];
        out->after_timeouts += r->repairs[TW_RECOVERY_AFTER];
        out->spurious += r->spurious;
    }
}

static bool is_alone(const struct tw_connection *c)
{
    return c->side[0].frames == 0 || c->side[1].frames == 0;
}

static bool takes_room(const struct tw_record *r)
{
    return (r->len || (r->flags & TW_FIN)) && !(r->flags & TW_RST);
}

/* The oldest unacknowledged data is retransmitted at the end of the log and acknowledges no more:
 * the other side did not answer, here or elsewhere. */
static bool goes_unanswered(const struct tw_log *log)
{
    uint32_t first = 0, last = log->n - 1;

    while (first < last && !takes_room(&log->record[first]))
        first++;
    while (last > first && !takes_room(&log->record[last]))
        last--;

    const struct tw_record *oldest = &log->record[first], *newest = &log->record[last];

    return !(log->record[0].flags & TW_SYN) && newest->frame_class == TCPWHY_CLASS_RETRANSMISSION &&
           newest->seq == oldest->seq && newest->ack == oldest->ack;
}

/* Frames that the other side must have answered, and no frame of it: one direction only. */
static bool is_one_sided(const struct tw_connection *c, const struct tw_log *log)
{
    if (!is_alone(c) || goes_unanswered(log))
        return false;
    for (uint32_t i = 0; i < log->n; i++)
        if (!(log->record[i].flags & (TW_SYN | TW_RST)) ||
            tw_record_is(&log->record[i], TW_SYN | TW_ACK))
            return true;
    return false;
}

/* No verdict across missing frames. */
static void explain_half(const struct tw_log *log, struct tw_explanation *out)
{
    const struct tw_span span = {
        .from_ns = log->record[0].time_ns,
        .to_ns = log->record[log->n - 1].time_ns,
        .cause = TCPWHY_CAPTURE_GAP,
        .confidence = TCPWHY_CERTAIN,
        .last_record = log->n - 1,
        .key_record = TW_NO_RECORD,
        .count = 1,
    };

    tw_spans_add(out, &span);
}

/* Does the log hold only more of an end that was explained before? */
static bool is_more_of_the_end(const struct tw_connection *c, const struct tw_log *log)
{
    if (c->past.ending == TCPWHY_CAUSE_NONE)
        return false;
    for (uint32_t i = 0; i < log->n; i++)
        if (log->record[i].frame_class == TCPWHY_CLASS_DATA)
            return false;
    return true;
}

/*
 * The log continues an earlier one: the time in between is part of the connection's life. @return
 * true if there is nothing else to explain.
 */
static bool explain_resumed(const struct tw_connection *c, const struct tw_log *log,
                            struct tw_explanation *out)
{
    bool half = is_one_sided(c, log), over = is_more_of_the_end(c, log);
    bool ended = c->past.ending != TCPWHY_CAUSE_NONE;
    uint32_t last = half || over ? log->n - 1 : 0;
    const struct tw_span span = {
        .from_ns = c->past.last_ns,
        .to_ns = log->record[last].time_ns,
        .cause = half    ? TCPWHY_CAPTURE_GAP
                 : ended ? (enum tcpwhy_cause)c->past.ending
                         : TCPWHY_UNKNOWN,
        .party =
            ended && !half ? tw_party_of((enum tcpwhy_side)c->past.ending_from) : TCPWHY_PARTY_NONE,
        .from = (enum tcpwhy_side)(half ? TCPWHY_CLIENT : c->past.ending_from),
        .confidence = TCPWHY_CERTAIN,
        .last_record = last,
        .key_record = TW_NO_RECORD,
        .count = 1,
    };

    tw_spans_add(out, &span);
    return half || over;
}

/* SYNs seen at a second capture point look retransmitted. */
static void doubt_retries(struct tw_explanation *out)
{
    for (uint32_t i = 0; i < out->n_spans; i++)
        if (out->span[i].cause == TCPWHY_CONNECT_RETRY) {
            out->span[i].confidence = TCPWHY_LIKELY;
            out->span[i].rival = TCPWHY_CAPTURE_GAP;
        }
}

static void explain_whole(struct tw_context *context, struct tw_explanation *out)
{
    const struct tw_log *log = context->log;
    uint32_t from = tw_handshake_explain(context->connection, log, &context->vantage, out), end;
    struct tw_attribution attribution;

    if (log->points_unsure)
        doubt_retries(out);
    /* only one side's setup is there: SYNs, or one direction of it */
    context->prescan.half = is_alone(context->connection);
    out->data_only = context->prescan.pure_acks == TW_ACKS_LACKING;
    if (from == log->n - 1 && context->prescan.half)
        return;
    set_scene(context);
    tw_attribute_begin(&attribution, context, out);
    end = tw_timeline_walk(context, from, &attribution.sink);
    tw_teardown_explain(log, end, out);
    tw_details_build(context, out);
    tw_distance_read(context, out);
    count_repairs(context, &out->repairs);
}

/* From this number of records on, scratch memory matters in comparison with the log. */
#define MANY_RECORDS 65536

static void give_back(struct tw_scratch *scratch, const struct tw_log *log)
{
    if (log->n < MANY_RECORDS)
        tw_scratch_reset(scratch);
    else
        tw_scratch_clear(scratch);
}

static struct tw_weighings *new_weighings(struct tw_scratch *scratch, uint32_t frame)
{
    struct tw_weighings *all = tw_scratch_get(scratch, 1, sizeof *all);

    *all = (struct tw_weighings) { .frame = frame };
    return all;
}

void tw_explain(const struct tw_connection *connection, const struct tw_log *log,
                const struct tw_exchanges *exchanges, struct tw_explainer *explainer,
                struct tw_explanation *out)
{
    struct tw_scratch *scratch = &explainer->scratch;
    struct tw_context context = { .connection = connection,
                                  .log = log,
                                  .exchanges = exchanges,
                                  .scratch = scratch,
                                  .asked = &explainer->asked };
    bool told;

    *out = (struct tw_explanation) { .scratch = scratch };
    if (log->n == 0)
        return;
    context.prescan.pure_acks = tw_look_for_pure_acks(log);
    tw_vantage_infer(connection, log, scratch, &context.prescan, &context.vantage);
    give_back(scratch, log);
    if (explainer->weighs)
        context.weighings = out->weighings = new_weighings(scratch, explainer->weigh_frame);
    out->vantage = context.vantage;
    told = connection->past.row != TW_NO_ROW && explain_resumed(connection, log, out);
    if (!told && is_one_sided(connection, log))
        explain_half(log, out);
    else if (!told)
        explain_whole(&context, out);
}

void tw_explanation_clear(struct tw_explanation *x)
{
    if (x->scratch)
        tw_scratch_reset(x->scratch);
    *x = (struct tw_explanation) { 0 };
}
