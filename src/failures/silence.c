/* SPDX-License-Identifier: MIT */
#include "failures/silence.h"

/* Within TW_SILENCE_NS. */
#define LEAST_REPEATS 3

/* A kernel gives up after as many probes at the least (tcp(7): Linux 9, Windows 10, and programs
 * that set TCP_KEEPCNT rarely fewer). */
#define LEAST_PROBES 3

/* IPv4 paths carry that much (RFC 791: 576 bytes with headers). */
#define SMALL_BYTES 536

static bool is_repeat(const struct tw_record *r)
{
    return r->len > 0 && r->frame_class == TCPWHY_CLASS_RETRANSMISSION;
}

/* Did a segment of that size or larger ever arrive? Else a path may let pass smaller ones only. */
static bool size_is_passable(const struct tw_cut *cut, enum tcpwhy_side sender, uint32_t first)
{
    const struct tw_record *lost = &cut->log->record[first];

    for (uint32_t i = 0; i < first; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from == (uint8_t)sender && r->len >= lost->len &&
            tw_record_end(r) <= cut->acked[sender])
            return true;
    }
    return lost->len < SMALL_BYTES;
}

/* The sender's data from before it last heard the other side, which that side never
 * acknowledged. */
static uint32_t first_untaken(const struct tw_cut *cut, enum tcpwhy_side sender, uint32_t heard)
{
    for (uint32_t i = 0; i < heard; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from == (uint8_t)sender && r->fresh > 0 && tw_record_end(r) > cut->acked[sender])
            return i;
    }
    return TW_NO_RECORD;
}

/* Find a silence without new data in flight: keep-alive probes that stay unanswered, up to the
 * sender's RST (RFC 9293, 3.8.4), or probes of a closed window, which a host must answer
 * (3.8.6.1). */
static bool find_unprobed(const struct tw_cut *cut, enum tcpwhy_side sender, struct tw_silence *out)
{
    uint32_t of_window = 0;

    *out = (struct tw_silence) { TW_NO_RECORD, TW_NO_RECORD, 0, true, out->rst };
    for (uint32_t i = cut->heard[!sender] + 1; i < cut->log->n; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from != (uint8_t)sender || (r->frame_class != TCPWHY_CLASS_KEEP_ALIVE &&
                                           r->frame_class != TCPWHY_CLASS_WINDOW_PROBE))
            continue;
        of_window += r->frame_class == TCPWHY_CLASS_WINDOW_PROBE;
        if (out->first == TW_NO_RECORD)
            out->first = i;
        out->last = i;
        out->repeats++;
    }
    if (out->repeats < LEAST_PROBES)
        return false;
    return of_window == out->repeats
               ? tw_cut_between(cut, out->first, out->last) >= TW_SILENCE_NS
               : cut->rst[sender] != TW_NO_RECORD && cut->rst[sender] > out->last;
}

/* A side that closes by its own clock has not heard what its FIN does not acknowledge. @return the
 * last that it sent before, if it says no more than that FIN; else TW_NO_RECORD. */
static uint32_t heard_before_close(const struct tw_cut *cut, enum tcpwhy_side side)
{
    const struct tw_record *close = &cut->log->record[cut->fin[side]];
    const struct tw_record *last = &cut->log->record[cut->heard[side]];

    if (close->len > 0 || last->seq != close->seq || last->ack != close->ack)
        return TW_NO_RECORD;
    for (uint32_t i = cut->fin[side]; i-- > 0;)
        if (cut->log->record[i].from == (uint8_t)side)
            return cut->log->record[i].ack == close->ack ? i : TW_NO_RECORD;
    return TW_NO_RECORD;
}

/* A server whose last word is its SYN/ACK heard nothing behind the SYN, however often it sent that.
 */
static uint32_t last_heard(const struct tw_cut *cut, enum tcpwhy_side side)
{
    uint32_t heard = cut->heard[side];

    if (heard == TW_NO_RECORD || side != TCPWHY_SERVER ||
        !tw_record_is(&cut->log->record[heard], TW_SYN | TW_ACK))
        return heard;
    for (uint32_t i = 0; i < heard; i++)
        if (cut->log->record[i].from == (uint8_t)side)
            return i;
    return heard;
}

bool tw_silence_repeats(const struct tw_cut *cut, enum tcpwhy_side sender, struct tw_silence *out)
{
    uint32_t heard = last_heard(cut, tw_other(sender));

    *out = (struct tw_silence) { TW_NO_RECORD, TW_NO_RECORD, 0, false, TW_NO_RECORD };
    if (heard != TW_NO_RECORD && cut->fin[!sender] != TW_NO_RECORD)
        heard = heard_before_close(cut, tw_other(sender));
    if (heard == TW_NO_RECORD)
        return false;
    out->first = first_untaken(cut, sender, heard);
    for (uint32_t i = heard + 1; i < cut->log->n; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from != (uint8_t)sender) {
            if (out->rst == TW_NO_RECORD && r->flags & TW_RST)
                out->rst = i;
        } else if (is_repeat(r)) {
            out->repeats++;
            out->last = i;
        } else if (r->len > 0 && r->fresh > 0 && out->first == TW_NO_RECORD) {
            out->first = i;
        }
    }
    if (out->first == TW_NO_RECORD)
        return find_unprobed(cut, sender, out);
    if (cut->fin[!sender] < out->first)
        return false;
    return out->repeats >= LEAST_REPEATS &&
           tw_cut_between(cut, out->first, out->last) >= TW_SILENCE_NS;
}

bool tw_silence_find(const struct tw_cut *cut, enum tcpwhy_side sender, struct tw_silence *out)
{
    return tw_silence_repeats(cut, sender, out) &&
           (out->probes || size_is_passable(cut, sender, out->first));
}

void tw_silence_tell_repeats(const struct tw_cut *cut, const struct tw_silence *silence,
                             struct tw_failure *out)
{
    tw_failure_clue(out, silence->probes ? TW_CLUE_PROBES : TW_CLUE_REPEATS, silence->repeats,
                    (double)tw_cut_between(cut, silence->first, silence->last) / 1e9);
}

void tw_silence_tell(const struct tw_cut *cut, const struct tw_silence *silence,
                     struct tw_failure *out)
{
    out->time_ns = cut->log->record[silence->first].time_ns;
    tw_failure_frame(out, cut, silence->first);
    tw_failure_frame(out, cut, silence->last);
    tw_failure_frame(out, cut, silence->rst);
    tw_silence_tell_repeats(cut, silence, out);
    if (silence->rst != TW_NO_RECORD && silence->rst > silence->last)
        tw_failure_clue(out, TW_CLUE_ENDED_BY_RST,
                        (double)tw_cut_between(cut, silence->last, silence->rst) / 1e6, 0);
}
