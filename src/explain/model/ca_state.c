/* SPDX-License-Identifier: MIT */
#include "explain/model/ca_state.h"

#include <glib.h>

#define NOTHING (-1)

void tw_ca_begin(struct tw_ca_state *ca)
{
    *ca = (struct tw_ca_state) { .undo_from = NOTHING };
}

static void enter(struct tw_ca_state *ca, enum tw_ca state, const struct tw_pipe *pipe)
{
    ca->state = state;
    ca->high = pipe->next;
    ca->undo_from = state == TW_CA_CWR ? NOTHING : pipe->una;
    ca->undo_repeats = 0;
    ca->repeated = ca->stamped = false;
    ca->probe_end = 0;
    ca->frto = false;
}

/* Only SACK reports anything missing. */
static void keep_open(struct tw_ca_state *ca, const struct tw_pipe *pipe)
{
    bool doubts = pipe->sacked.packets + pipe->dup_acks + pipe->resent.packets > 0;

    ca->state = doubts ? TW_CA_DISORDER : TW_CA_OPEN;
}

/* Did the first copy arrive, by TSecr (RFC 3522)? */
static bool echoes_original(const struct tw_ca_state *ca, const struct tw_ca_ack *ack)
{
    return ca->repeated && ca->stamped && ack->stamped &&
           (int32_t)(ack->tsecr - ca->first_tsval) < 0;
}

static bool may_undo(const struct tw_ca_state *ca, const struct tw_ca_ack *ack)
{
    if (ca->undo_from == NOTHING)
        return false;
    return (ca->repeated && ca->undo_repeats <= 0) || echoes_original(ca, ack);
}

static unsigned undo(struct tw_ca_state *ca, struct tw_pipe *pipe)
{
    tw_pipe_forgive(pipe);
    ca->undo_from = NOTHING;
    ca->frto = false;
    return TW_CA_UNDO;
}

/* Everything sent before the state began is acknowledged. */
static unsigned leave(struct tw_ca_state *ca, struct tw_pipe *pipe, const struct tw_ca_ack *ack)
{
    bool reduces = tw_ca_reduces(ca);
    unsigned what = 0;

    if (may_undo(ca, ack))
        what = undo(ca, pipe);
    else if (reduces)
        what = TW_CA_FINISH;
    ca->undo_from = NOTHING;
    keep_open(ca, pipe);
    return what;
}

/* A retransmitted tail loss probe that was needed is a loss (RFC 8985, 7.4.2). */
static unsigned hear_probe(struct tw_ca_state *ca, const struct tw_ca_ack *ack)
{
    if (ca->probe_end == 0 || ack->ack < ca->probe_end)
        return 0;
    if (ack->dsack || (ack->duplicate && ack->news->delivered == 0)) {
        ca->probe_end = 0;
    } else if (ack->ack > ca->probe_end) {
        ca->probe_end = 0;
        return TW_CA_REDUCE | TW_CA_FINISH;
    }
    return 0;
}

/* RFC 5682, 3.1: data sent once arrived after the timeout, so not all was lost. */
static unsigned hear_in_loss(struct tw_ca_state *ca, struct tw_pipe *pipe,
                             const struct tw_ca_ack *ack)
{
    const struct tw_pipe_news *news = ack->news;
    bool original = news->original_sacked || (news->una_moved && !news->repeat_acked);

    if (news->una_moved && may_undo(ca, ack)) {
        unsigned what = undo(ca, pipe);

        keep_open(ca, pipe);
        return what;
    }
    if (ca->frto && original && ca->undo_from != NOTHING) {
        unsigned what = undo(ca, pipe);

        keep_open(ca, pipe);
        return what;
    }
    if (ca->frto && pipe->next > ca->high && (ack->duplicate || news->delivered > news->acked))
        ca->frto = false;
    return 0;
}

static bool is_time_to_recover(const struct tw_pipe *pipe)
{
    return pipe->lost.packets > 0;
}

static void look_for_losses(const struct tw_ca_state *ca, struct tw_pipe *pipe,
                            const struct tw_ca_ack *ack, tcpwhy_ns at_ns, tcpwhy_ns reorder_ns,
                            struct tw_pipe_news *news)
{
    bool recovers = ca->state >= TW_CA_RECOVERY;

    if (!pipe->sacks) {
        if (recovers ? ack->news->una_moved && ca->state == TW_CA_RECOVERY
                     : pipe->dup_acks >= TW_DUP_THRESHOLD)
            tw_pipe_lose_head(pipe, news);
        return;
    }
    if (!pipe->reorders && (recovers || pipe->sacked.packets >= TW_DUP_THRESHOLD))
        reorder_ns = 0;
    tw_pipe_find_lost(pipe, at_ns, reorder_ns, news);
}

unsigned tw_ca_hear(struct tw_ca_state *ca, struct tw_pipe *pipe, const struct tw_ca_ack *ack,
                    tcpwhy_ns at_ns, tcpwhy_ns reorder_ns, struct tw_pipe_news *news)
{
    unsigned what;

    if (ack->dsack)
        ca->undo_repeats--;
    what = hear_probe(ca, ack);
    if (ca->state >= TW_CA_CWR && ack->ack >= ca->high &&
        (ca->state != TW_CA_CWR || ack->ack > ca->high) &&
        (pipe->sacks || ack->ack > ca->high || ca->state == TW_CA_CWR))
        what |= leave(ca, pipe, ack);
    else if (ca->state == TW_CA_LOSS)
        what |= hear_in_loss(ca, pipe, ack);
    else if (ca->state == TW_CA_RECOVERY && ack->news->una_moved && echoes_original(ca, ack) &&
             ca->undo_from != NOTHING) {
        what |= undo(ca, pipe);
        keep_open(ca, pipe);
    }
    look_for_losses(ca, pipe, ack, at_ns, reorder_ns, news);
    if (ca->state < TW_CA_RECOVERY && is_time_to_recover(pipe)) {
        if (ca->state != TW_CA_CWR)
            what |= TW_CA_REDUCE;
        enter(ca, TW_CA_RECOVERY, pipe);
    } else if (ca->state <= TW_CA_DISORDER) {
        keep_open(ca, pipe);
        if (ack->ece) {
            what |= TW_CA_REDUCE;
            enter(ca, TW_CA_CWR, pipe);
        }
    }
    return what;
}

/* A second timeout within the first leaves ssthresh unchanged (tcp_enter_loss()). */
static unsigned time_out(struct tw_ca_state *ca, struct tw_pipe *pipe, tcpwhy_ns at_ns)
{
    bool again = ca->state == TW_CA_LOSS && pipe->una < ca->high;
    bool recovers = ca->state == TW_CA_RECOVERY && pipe->una < ca->high;
    unsigned what = TW_CA_TIMEOUT | (again || recovers ? 0 : TW_CA_REDUCES_TO);

    tw_pipe_lose_all(pipe, at_ns);
    if (!again)
        enter(ca, TW_CA_LOSS, pipe);
    ca->high = pipe->next;
    ca->frto = !again && !recovers;
    return what;
}

/* ACKs missing from the capture, or a reordering timer, reported the loss. */
static unsigned recover(struct tw_ca_state *ca, struct tw_pipe *pipe)
{
    unsigned what = ca->state == TW_CA_CWR ? 0 : TW_CA_REDUCE;

    if (pipe->lost.packets == 0)
        tw_pipe_lose_head(pipe, NULL);
    enter(ca, TW_CA_RECOVERY, pipe);
    return what;
}

unsigned tw_ca_repeat(struct tw_ca_state *ca, struct tw_pipe *pipe,
                      const struct tw_ca_repeat *repeat, tcpwhy_ns at_ns)
{
    unsigned what = 0;

    switch (repeat->trigger) {
    case TW_CA_BY_RTO:
        what = time_out(ca, pipe, at_ns);
        break;
    case TW_CA_BY_EITHER_TIMER:
        what = TW_CA_MAY_TIME_OUT;
        ca->probe_end = pipe->next;
        break;
    case TW_CA_BY_PROBE_TIMER:
        ca->probe_end = pipe->next;
        break;
    default:
        if (ca->state < TW_CA_RECOVERY)
            what = recover(ca, pipe);
    }
    if (!ca->repeated) {
        ca->first_tsval = repeat->tsval;
        ca->stamped = repeat->stamped;
    }
    ca->repeated = true;
    ca->undo_repeats += repeat->packets;
    return what;
}
