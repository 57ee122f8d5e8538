/* SPDX-License-Identifier: MIT */
#include "explain/model/app_window.h"

#include <glib.h>

#include "base/select.h"
#include "explain/thresholds.h"

/* Segments sent between two silences. */
struct block {
    uint32_t first, next; /* its sends, and the first send of the next */
    int64_t bytes;
    bool granted; /* payload released the next one ... */
    bool ignored; /* ... and no ACK before that did */
};

static const struct tw_record *record_of(const struct tw_context *context, const struct tw_send *s)
{
    return &context->log->record[s->record];
}

/* Did the sender hear a bare ACK of the block after its last send and before the grant? */
static bool ignored_ack(const struct tw_context *context, enum tcpwhy_side side,
                        const struct block *b)
{
    const struct tw_send *send = context->sends[side].send;
    const struct tw_record *r = record_of(context, &send[b->first]);
    const struct tw_record *last = record_of(context, &send[b->next - 1]);
    const struct tw_record *next = record_of(context, &send[b->next]);
    tcpwhy_ns trip_ns = 2 * context->vantage.to_side_ns[side];
    int64_t acked = -1;

    for (; r < next; r++) {
        if (r->from == side || !(r->flags & TW_ACK))
            continue;
        if (r->len == 0 && acked >= 0 && r->ack > acked && r->seq < next->ack &&
            r->time_ns + trip_ns > last->time_ns)
            return true;
        acked = r->ack;
    }
    return false;
}

static bool is_silence(const struct tw_context *context, const struct tw_send *s)
{
    return s->is & TW_SEND_FRESH &&
           record_of(context, s)->time_ns - record_of(context, s - 1)->time_ns >
               context->vantage.rtt_min_ns / TW_SHORT_SHARE;
}

/* Payload released it; or the one after it, if Nagle's algorithm held a partial segment of the
 * previous block, which goes first. */
static bool is_granted(const struct tw_context *context, enum tcpwhy_side side,
                       const struct tw_send *s)
{
    const struct tw_sender_timeline *x = &context->sends[side];
    int64_t before = record_of(context, s - 1)->ack;

    if (record_of(context, s)->ack > before)
        return true;
    return s->is & TW_SEND_PARTIAL && s + 1 < x->send + x->n && !is_silence(context, s + 1) &&
           record_of(context, s + 1)->ack > before;
}

bool tw_app_window_was_granted(const struct tw_context *context, enum tcpwhy_side side,
                               const struct tw_send *s)
{
    const struct tw_app_window *window = &context->app_window[side];
    uint32_t i = (uint32_t)(s - context->sends[side].send);

    return window->grants > 0 && i > window->first && i <= window->last && is_silence(context, s) &&
           is_granted(context, side, s);
}

static bool is_small_grant(const struct tw_context *context, const struct block *b,
                           const struct tw_send *send)
{
    int64_t grant =
        record_of(context, &send[b->next])->ack - record_of(context, &send[b->next - 1])->ack;

    return grant <= b->bytes / TW_SHORT_SHARE;
}

/* Divide the side's sends at silences. @return the number of blocks with a successor. */
static uint32_t cut(const struct tw_context *context, enum tcpwhy_side side, struct block *out)
{
    const struct tw_sender_timeline *x = &context->sends[side];
    uint32_t n = 0, first = 0;

    for (uint32_t i = 1; i < x->n; i++) {
        struct block *b = &out[n];

        if (!is_silence(context, &x->send[i]))
            continue;
        *b = (struct block) { .first = first, .next = i };
        b->bytes = tw_send_seq(&x->send[i]) - tw_send_seq(&x->send[first]);
        b->granted = is_granted(context, side, &x->send[i]) && is_small_grant(context, b, x->send);
        b->ignored = b->granted && ignored_ack(context, side, b);
        first = i;
        n++;
    }
    return n;
}

static uint32_t count_silences(const struct tw_context *context, enum tcpwhy_side side)
{
    const struct tw_sender_timeline *x = &context->sends[side];
    uint32_t n = 0;

    for (uint32_t i = 1; i < x->n; i++)
        n += is_silence(context, &x->send[i]);
    return n;
}

/* Less is a short answer, unless a protocol shows that it is part of a longer one. */
static int64_t least_bytes(const struct tw_context *context, enum tcpwhy_side side)
{
    bool http2 = context->exchanges->facts && context->exchanges->facts->http2;

    return (int64_t)context->sends[side].mss_bytes * (http2 ? TW_TWICE : TW_INITIAL_SEGMENTS);
}

/* The median granted block of sufficient size; 0: too few. */
static int64_t usual_bytes(const struct tw_context *context, const struct block *block, uint32_t n,
                           int64_t least)
{
    tcpwhy_ns *bytes = tw_scratch_get(context->scratch, n, sizeof *bytes);
    int64_t usual = 0;
    uint32_t m = 0;

    for (uint32_t i = 0; i < n; i++)
        if (block[i].granted && block[i].bytes >= least)
            bytes[m++] = block[i].bytes;
    if (m >= TW_MANY)
        usual = tw_select_ns(bytes, m, m / 2);
    tw_scratch_return(context->scratch, bytes);
    return usual;
}

static bool is_usual(const struct block *b, int64_t usual)
{
    int64_t differs = b->bytes > usual ? b->bytes - usual : usual - b->bytes;

    return b->granted && differs * TW_RARE_SHARE <= usual;
}

/* Count the blocks of the usual size, and find where they are. */
static void measure(const struct tw_context *context, enum tcpwhy_side side,
                    const struct block *block, uint32_t n, struct tw_app_window *out)
{
    const struct tw_send *send = context->sends[side].send;
    uint32_t from = 0, silences = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!is_usual(&block[i], out->block_bytes))
            continue;
        if (out->grants++ == 0) {
            from = i;
            out->first = block[i].first;
        }
        silences = i - from + 1;
        out->ignored += block[i].ignored;
        out->last = block[i].next;
    }
    if (out->grants < TW_MANY || out->grants * TW_FACTOR < silences) {
        *out = (struct tw_app_window) { 0 };
        return;
    }
    out->bytes = tw_send_seq(&send[out->last]) - tw_send_seq(&send[out->first]);
    out->from_ns = record_of(context, &send[out->first])->time_ns;
    out->to_ns = record_of(context, &send[out->last])->time_ns;
}

/* A protocol that marks its messages shows that each block is an answer of its own. */
static bool are_answers(const struct tw_exchanges *all)
{
    return all->n > 0 && all->exchange[0].framed && !(all->facts && all->facts->http2);
}

void tw_app_window_find(struct tw_context *context, enum tcpwhy_side side)
{
    struct tw_app_window *out = &context->app_window[side];
    uint32_t n;
    struct block *block;

    *out = (struct tw_app_window) { 0 };
    if (context->vantage.rtt_min_ns < TW_WORTH_NS || are_answers(context->exchanges))
        return;
    n = count_silences(context, side);
    if (n < TW_MANY)
        return;
    block = tw_scratch_get(context->scratch, n, sizeof *block);
    n = cut(context, side, block);
    out->block_bytes = usual_bytes(context, block, n, least_bytes(context, side));
    if (out->block_bytes > 0)
        measure(context, side, block, n, out);
}
