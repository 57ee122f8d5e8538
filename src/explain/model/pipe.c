/* SPDX-License-Identifier: MIT */
#include "explain/model/pipe.h"

#include <glib.h>

#define SACKED   0x01
#define LOST     0x02
#define RESENT   0x04 /* in the network again */
#define REPEATED 0x08 /* sent more than once */
#define AWAITED  0x10 /* in the list by send time */

#define NONE UINT32_MAX

/* Most segments in a frame: 64 KiB in segments of 536 bytes, or as many larger ones (BIG TCP). */
#define MOST_SEGMENTS 1024

void tw_pipe_begin(struct tw_pipe *pipe, struct tw_scratch *scratch, uint32_t capacity,
                   int64_t mss_bytes)
{
    *pipe = (struct tw_pipe) {
        .segment = tw_scratch_get(scratch, capacity, sizeof *pipe->segment),
        .capacity = capacity,
        .oldest = NONE,
        .newest = NONE,
        .mss_bytes = mss_bytes,
        .delivered_sent_ns = TCPWHY_NS_UNKNOWN,
    };
}

uint32_t tw_pipe_segments_of(int64_t bytes, int64_t mss_bytes)
{
    return (uint32_t)CLAMP((bytes + mss_bytes - 1) / mss_bytes, 1, MOST_SEGMENTS);
}

static void add(struct tw_pipe_amount *amount, const struct tw_pipe_segment *s, int sign)
{
    amount->bytes += sign * (s->end - s->seq);
    amount->packets += sign * (int64_t)s->packets;
}

static void take_off_list(struct tw_pipe *p, uint32_t i)
{
    struct tw_pipe_segment *s = &p->segment[i];

    if (!(s->is & AWAITED))
        return;
    *(s->older == NONE ? &p->oldest : &p->segment[s->older].newer) = s->newer;
    *(s->newer == NONE ? &p->newest : &p->segment[s->newer].older) = s->older;
    s->is &= (uint8_t)~AWAITED;
}

static void put_on_list(struct tw_pipe *p, uint32_t i)
{
    struct tw_pipe_segment *s = &p->segment[i];

    s->older = p->newest;
    s->newer = NONE;
    *(p->newest == NONE ? &p->oldest : &p->segment[p->newest].newer) = i;
    p->newest = i;
    s->is |= AWAITED;
}

/* New data leaves no earlier than what left before it, whatever a coarse clock says: else RACK
 * (RFC 8985, 6.2) would find lost what arrives in its turn. */
static tcpwhy_ns in_turn(const struct tw_pipe *p, tcpwhy_ns at_ns)
{
    if (p->newest != NONE)
        at_ns = MAX(at_ns, p->segment[p->newest].sent_ns);
    return p->delivered_sent_ns == TCPWHY_NS_UNKNOWN ? at_ns : MAX(at_ns, p->delivered_sent_ns);
}

static void append(struct tw_pipe *p, int64_t seq, int64_t end, uint32_t packets, tcpwhy_ns at_ns)
{
    struct tw_pipe_segment *s = &p->segment[p->n];

    if (p->n == p->capacity)
        return;
    *s = (struct tw_pipe_segment) {
        .seq = seq, .end = end, .sent_ns = in_turn(p, at_ns), .packets = packets, .unsacked = p->n
    };
    add(&p->out, s, 1);
    put_on_list(p, p->n++);
}

void tw_pipe_send(struct tw_pipe *p, int64_t seq, int64_t end, tcpwhy_ns at_ns)
{
    uint32_t n;

    if (p->n == 0 && p->next == 0)
        p->una = p->next = seq;
    if (seq > p->next)
        append(p, p->next, seq, (uint32_t)MIN((seq - p->next - 1) / p->mss_bytes + 1, UINT32_MAX),
               at_ns);
    seq = MAX(seq, p->next);
    n = tw_pipe_segments_of(end - seq, p->mss_bytes);
    for (uint32_t i = 0; i < n; i++) {
        int64_t to = i + 1 < n ? seq + p->mss_bytes : end;

        append(p, seq, to, 1, at_ns);
        seq = to;
    }
    p->next = MAX(p->next, end);
}

/* The first segment that ends after an offset. */
static uint32_t first_after(const struct tw_pipe *p, int64_t offset)
{
    uint32_t low = p->head, high = p->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (p->segment[middle].end > offset)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

int64_t tw_pipe_resend(struct tw_pipe *p, int64_t seq, int64_t end, tcpwhy_ns at_ns)
{
    int64_t packets = 0;

    for (uint32_t i = first_after(p, seq); i < p->n && p->segment[i].seq < end; i++) {
        struct tw_pipe_segment *s = &p->segment[i];

        if (!(s->is & (RESENT | SACKED)))
            add(&p->resent, s, 1);
        if (!(s->is & SACKED)) {
            s->is |= RESENT;
            take_off_list(p, i);
            put_on_list(p, i);
        }
        s->is |= REPEATED;
        s->sent_ns = at_ns;
        packets += s->packets;
    }
    return packets;
}

static void note_time(tcpwhy_ns sent_ns, tcpwhy_ns *first_ns, tcpwhy_ns *last_ns)
{
    if (*first_ns == TCPWHY_NS_UNKNOWN || sent_ns < *first_ns)
        *first_ns = sent_ns;
    if (*last_ns == TCPWHY_NS_UNKNOWN || sent_ns > *last_ns)
        *last_ns = sent_ns;
}

/* A segment was delivered (tcp_rack_advance()). */
static void deliver(struct tw_pipe *p, const struct tw_pipe_segment *s, tcpwhy_ns at_ns)
{
    if (p->delivered_sent_ns != TCPWHY_NS_UNKNOWN &&
        (s->sent_ns < p->delivered_sent_ns ||
         (s->sent_ns == p->delivered_sent_ns && s->end <= p->delivered_end)))
        return;
    if ((s->is & REPEATED) && at_ns - s->sent_ns < p->delivered_rtt_ns / 2)
        return; /* the ACK is of the first copy */
    p->delivered = true;
    p->delivered_sent_ns = s->sent_ns;
    p->delivered_end = s->end;
    p->delivered_rtt_ns = at_ns - s->sent_ns;
}

static void leave(struct tw_pipe *p, uint32_t i)
{
    struct tw_pipe_segment *s = &p->segment[i];

    if (s->is & LOST)
        add(&p->lost, s, -1);
    if (s->is & RESENT)
        add(&p->resent, s, -1);
    take_off_list(p, i);
    s->is &= (uint8_t) ~(LOST | RESENT);
}

static void acknowledge(struct tw_pipe *p, tcpwhy_ns at_ns, struct tw_pipe_news *news)
{
    struct tw_pipe_segment *s = &p->segment[p->head];

    if (s->is & REPEATED)
        news->repeat_acked = true;
    else if (!(s->is & SACKED))
        note_time(s->sent_ns, &news->acked_first_ns, &news->acked_last_ns);
    if (s->is & SACKED) {
        add(&p->sacked, s, -1);
    } else {
        deliver(p, s, at_ns);
        news->delivered += s->packets;
        if (!(s->is & REPEATED) && s->end < p->sacked_before)
            p->reorders = true;
    }
    news->acked += s->packets;
    leave(p, p->head);
    add(&p->out, s, -1);
    p->head++;
}

/* Part of a segment, or of data missing from the capture, is acknowledged. */
static void trim(struct tw_pipe *p, int64_t ack, struct tw_pipe_news *news)
{
    struct tw_pipe_segment *s = &p->segment[p->head];
    int64_t packets = MIN((ack - s->seq) / p->mss_bytes, (int64_t)s->packets - 1);
    struct tw_pipe_amount *of[] = { &p->out, s->is & SACKED ? &p->sacked : NULL,
                                    s->is & LOST ? &p->lost : NULL,
                                    s->is & RESENT ? &p->resent : NULL };

    for (size_t i = 0; i < G_N_ELEMENTS(of); i++)
        if (of[i]) {
            of[i]->bytes -= ack - s->seq;
            of[i]->packets -= packets;
        }
    news->delivered += packets;
    news->acked += packets;
    s->packets -= (uint32_t)packets;
    s->seq = ack;
}

/* Each acknowledged segment cancels one duplicate ACK (tcp_remove_reno_sacks()). */
static void forget_duplicates(struct tw_pipe *p, struct tw_pipe_news *news)
{
    int64_t stood = p->dup_acks;

    if (news->acked <= 0)
        return;
    news->delivered = MAX(news->acked - stood, 1);
    p->dup_acks = (uint32_t)MAX(stood - (news->acked - 1), 0);
}

void tw_pipe_ack(struct tw_pipe *p, int64_t ack, tcpwhy_ns at_ns, struct tw_pipe_news *news)
{
    *news = (struct tw_pipe_news) { .acked_first_ns = TCPWHY_NS_UNKNOWN,
                                    .acked_last_ns = TCPWHY_NS_UNKNOWN,
                                    .sacked_first_ns = TCPWHY_NS_UNKNOWN,
                                    .sacked_last_ns = TCPWHY_NS_UNKNOWN };
    p->sacked_before = p->sacked_to;
    if (p->n == 0 && p->next == 0)
        p->una = p->next = ack;
    if (ack <= p->una)
        return;
    news->una_moved = true;
    news->data_acked = ack > 1;
    news->partly = ack - p->una < p->mss_bytes;
    while (p->head < p->n && p->segment[p->head].end <= ack)
        acknowledge(p, at_ns, news);
    if (p->head < p->n && p->segment[p->head].seq < ack)
        trim(p, ack, news);
    p->una = ack;
    p->next = MAX(p->next, ack);
    if (!p->sacks)
        forget_duplicates(p, news);
}

/* The first unSACKed segment from there on, with path compression. */
static uint32_t find_unsacked(struct tw_pipe *p, uint32_t i)
{
    uint32_t found = i;

    while (found < p->n && p->segment[found].unsacked != found)
        found = p->segment[found].unsacked;
    while (i < p->n && p->segment[i].unsacked != i) {
        uint32_t next = p->segment[i].unsacked;

        p->segment[i].unsacked = found;
        i = next;
    }
    return found;
}

static void mark_sacked(struct tw_pipe *p, uint32_t i, tcpwhy_ns at_ns, struct tw_pipe_news *news)
{
    struct tw_pipe_segment *s = &p->segment[i];

    if (!(s->is & REPEATED)) {
        note_time(s->sent_ns, &news->sacked_first_ns, &news->sacked_last_ns);
        news->original_sacked = true;
        if (s->end < p->sacked_before)
            p->reorders = true;
    }
    deliver(p, s, at_ns);
    leave(p, i);
    s->is |= SACKED;
    s->unsacked = i + 1;
    add(&p->sacked, s, 1);
    news->delivered += s->packets;
}

void tw_pipe_sack(struct tw_pipe *p, const struct tw_range *block, tcpwhy_ns at_ns,
                  struct tw_pipe_news *news)
{
    uint32_t i;

    if (block->to <= p->una || block->to > p->next)
        return;
    i = first_after(p, block->from);
    if (i < p->n && p->segment[i].seq < block->from)
        i++;
    for (i = find_unsacked(p, i); i < p->n && p->segment[i].end <= block->to;
         i = find_unsacked(p, i + 1))
        mark_sacked(p, i, at_ns, news);
    p->sacked_to = MAX(p->sacked_to, block->to);
}

void tw_pipe_duplicate(struct tw_pipe *p, struct tw_pipe_news *news)
{
    if (p->dup_acks >= p->out.packets)
        return;
    p->dup_acks++;
    news->delivered++;
}

static void lose(struct tw_pipe *p, uint32_t i, struct tw_pipe_news *news)
{
    struct tw_pipe_segment *s = &p->segment[i];

    if (s->is & RESENT)
        add(&p->resent, s, -1);
    if (!(s->is & LOST))
        add(&p->lost, s, 1);
    take_off_list(p, i);
    s->is = (uint8_t)((s->is & ~RESENT) | LOST);
    if (news)
        news->lost += s->packets;
}

void tw_pipe_find_lost(struct tw_pipe *p, tcpwhy_ns at_ns, tcpwhy_ns reorder_ns,
                       struct tw_pipe_news *news)
{
    if (!p->delivered)
        return;
    p->delivered = false;
    for (uint32_t i = p->oldest, next; i != NONE; i = next) {
        const struct tw_pipe_segment *s = &p->segment[i];

        next = s->newer;
        if (s->sent_ns > p->delivered_sent_ns ||
            (s->sent_ns == p->delivered_sent_ns && s->end >= p->delivered_end))
            break;
        if (at_ns - s->sent_ns < p->delivered_rtt_ns + reorder_ns) {
            p->delivered = true; /* a timer looks again */
            break;
        }
        lose(p, i, news);
    }
}

void tw_pipe_lose_head(struct tw_pipe *p, struct tw_pipe_news *news)
{
    if (p->head < p->n && !(p->segment[p->head].is & SACKED))
        lose(p, p->head, news);
}

void tw_pipe_lose(struct tw_pipe *p, int64_t seq, int64_t end)
{
    for (uint32_t i = first_after(p, seq); i < p->n && p->segment[i].seq < end; i++)
        if (!(p->segment[i].is & (SACKED | LOST)))
            lose(p, i, NULL);
}

void tw_pipe_lose_all(struct tw_pipe *p, tcpwhy_ns at_ns)
{
    tw_pipe_lose_head(p, NULL);
    for (uint32_t i = p->oldest, next; i != NONE; i = next) {
        next = p->segment[i].newer;
        if (at_ns - p->segment[i].sent_ns < p->delivered_rtt_ns)
            break;
        lose(p, i, NULL);
    }
    p->dup_acks = 0;
}

void tw_pipe_forgive(struct tw_pipe *p)
{
    for (uint32_t i = p->head; i < p->n && p->lost.packets > 0; i++) {
        struct tw_pipe_segment *s = &p->segment[i];

        if (!(s->is & LOST))
            continue;
        add(&p->lost, s, -1);
        s->is &= (uint8_t)~LOST;
        if (!(s->is & AWAITED))
            put_on_list(p, i);
    }
}

struct tw_pipe_amount tw_pipe_in_flight(const struct tw_pipe *p)
{
    struct tw_pipe_amount a = { p->out.bytes - p->sacked.bytes - p->lost.bytes + p->resent.bytes,
                                p->out.packets - p->sacked.packets - p->lost.packets +
                                    p->resent.packets };

    a.packets = MAX(a.packets - p->dup_acks, 0);
    a.bytes = MAX(a.bytes - (int64_t)p->dup_acks * p->mss_bytes, 0);
    return a;
}

tcpwhy_ns tw_pipe_head_sent_ns(const struct tw_pipe *p)
{
    return p->head < p->n ? p->segment[p->head].sent_ns : TCPWHY_NS_UNKNOWN;
}

bool tw_pipe_is_lost(const struct tw_pipe *p, int64_t seq)
{
    uint32_t i = first_after(p, seq);

    return i < p->n && (p->segment[i].is & LOST);
}
