/* SPDX-License-Identifier: MIT */
/*
 * From one moment on a side answers nothing, and what is sent to it is repeated in vain.
 */
#include "failures/kind.h"
#include "failures/silence.h"
#include "log/set_aside.h"

/* An answer that has begun and no end, or nothing of it. */
static enum tcpwhy_failed failed(const struct tw_cut *cut, enum tcpwhy_side sender,
                                 const struct tw_silence *silence)
{
    if (silence->probes && !cut->part)
        return cut->open ? TCPWHY_FAILED_REQUEST : TCPWHY_FAILED_IDLE;
    return cut->open && sender == cut->asker ? TCPWHY_FAILED_REQUEST : TCPWHY_FAILED_TRANSFER;
}

static uint32_t count_syn_acks(const struct tw_cut *cut)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < cut->log->n; i++)
        n += cut->log->record[i].from == TCPWHY_SERVER &&
             tw_record_is(&cut->log->record[i], TW_SYN | TW_ACK);
    return n;
}

/* The server's last segment is a retransmitted SYN/ACK. */
static bool repeats_syn_ack(const struct tw_cut *cut, const struct tw_silence *silence)
{
    const struct tw_record *heard = tw_cut_record(cut, cut->heard[TCPWHY_SERVER]);

    return heard && tw_record_is(heard, TW_SYN | TW_ACK) &&
           cut->heard[TCPWHY_SERVER] > silence->first;
}

/* A router that says during the silence that it reaches nobody there. */
static void tell_icmp(const struct tw_cut *cut, enum tcpwhy_side sender,
                      const struct tw_silence *silence, struct tw_failure *out)
{
    const tcpwhy_ns since_ns = cut->log->record[silence->first].time_ns;

    for (uint32_t i = 0; i < cut->log->n_icmp; i++) {
        const struct tw_log_icmp *icmp = &cut->log->icmp[i];

        if (icmp->kind != TW_ICMP_UNREACHABLE || icmp->to != sender || icmp->time_ns < since_ns)
            continue;
        tw_failure_clue(out, TW_CLUE_ICMP, icmp->code, 0);
        tw_failure_frame_number(out, icmp->frame);
        return;
    }
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    struct tw_silence silence;
    enum tcpwhy_side sender = TCPWHY_CLIENT;

    if (!tw_silence_find(cut, sender, &silence)) {
        sender = TCPWHY_SERVER;
        if (!tw_silence_find(cut, sender, &silence))
            return false;
    }
    tw_failure_begin(out, TCPWHY_FAILURE_PEER_SILENT, failed(cut, sender, &silence),
                     TCPWHY_SEEN_TIMEOUT);
    out->confidence = TCPWHY_LIKELY;
    out->who = TCPWHY_BY_UNKNOWN;
    tw_silence_tell(cut, &silence, out);
    tell_icmp(cut, sender, &silence, out);
    tw_cut_tell_hello(cut, out);
    if (sender == TCPWHY_CLIENT && repeats_syn_ack(cut, &silence))
        tw_failure_clue(out, TW_CLUE_SYN_ACK_AGAIN, count_syn_acks(cut), 0);
    if (sender == TCPWHY_CLIENT && tw_log_is_set_aside(cut->log)) {
        tw_failure_clue(out, TW_CLUE_SET_ASIDE, 0, 0);
        if (tw_vantage_is_at(cut->vantage, TCPWHY_SERVER))
            out->who = TCPWHY_BY_SERVER;
    }
    out->after_ns = tw_cut_between(cut, silence.first, cut->log->n - 1);
    return true;
}

const struct tw_failure_detector tw_failure_peer_silent = {
    .kind = TCPWHY_FAILURE_PEER_SILENT,
    .find = find,
};
