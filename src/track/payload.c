/* SPDX-License-Identifier: MIT */
#include "track/payload.h"

#include "base/seq.h"
#include "track/steps.h"

/* Copies of a packet without IP ID (IPv6) must follow this closely to be told from a
 * retransmission, ... */
#define COPY_WITHOUT_ID TCPWHY_US(200)
/* ... or within this part of the RTT, which a loss report or a timer takes. The handshake's RTT may
 * be longer, and interfaces are hardly that far apart. */
#define COPY_SHARE   2
#define COPY_AT_MOST TCPWHY_MS(5)
/* With the same IP ID, copies may be a queue apart. */
#define COPY_WITH_ID TCPWHY_MS(500)
/* The shortest SYN timer is Windows' minimum InitialRto (Linux, BSD, macOS: 1 s; RFC 6298, 2.1). */
#define COPY_OF_SYN TCPWHY_MS(300)

/* After this many small steps in a row the ID counts as a counter. */
#define ID_STEPS_TRUSTED 3

/* RTT assumed when none was measured, as in Wireshark. */
#define ASSUMED_RTT TCPWHY_MS(3)

/* Retransmitted data may be retransmitted again soon: timers do not wait for each other. */
static bool sends_again(const struct tw_side *side, tcpwhy_ns now)
{
    return side->retransmissions > 0 &&
           tw_recent_ticks(now) - side->repeat_ticks <= tw_recent_ticks(COPY_AT_MOST);
}

/*
 * A second capture point sees a segment before its ACK passes there, and other segments, too. If
 * the capture holds no copy so far, what follows its own ACK, or comes from who has sent again, is
 * sent again. Some senders do that with the identification of the first.
 */
static bool is_sent_again(const struct tw_tracked *t, const struct tw_side *side)
{
    const struct tw_side *both = t->connection->side;

    return t->segment->len > 0 && both[TCPWHY_CLIENT].copies + both[TCPWHY_SERVER].copies == 0 &&
           (t->seq + t->segment->len <= side->acked || side->retransmissions > 0);
}

static tcpwhy_ns latest_copy(const struct tw_tracked *t, const struct tw_side *side)
{
    tcpwhy_ns rtt = t->connection->handshake_rtt_ns;

    if (t->segment->flags & TW_SYN)
        return COPY_OF_SYN;
    if (t->segment->ip_id && is_sent_again(t, side))
        return COPY_AT_MOST;
    if (t->segment->ip_id)
        return COPY_WITH_ID;
    if (rtt == TCPWHY_NS_UNKNOWN || sends_again(side, t->time_ns))
        return COPY_WITHOUT_ID;
    return CLAMP(rtt / COPY_SHARE, COPY_WITHOUT_ID, COPY_AT_MOST);
}

bool tw_captured_before(const struct tw_tracked *t, const struct tw_side *side)
{
    const struct tw_segment *s = t->segment;

    if (!s->ip_id && !s->len && !(s->flags & TW_SYN))
        return false;
    return tw_recent_has(&side->recent, s, t->time_ns, latest_copy(t, side));
}

static bool id_is_counter(const struct tw_side *side, const struct tw_segment *s)
{
    return side->id_steps >= ID_STEPS_TRUSTED && s->ip_id && side->last_ip_id;
}

/*
 * Bytes seen before, in a packet that may have been dropped from memory and was sent before the
 * newest: it is captured again, or arrives twice. A retransmission gets the next ID and a TSval
 * that is no older (RFC 7323, 4.1).
 */
static bool was_sent_earlier(const struct tw_side *own, const struct tw_segment *s, tcpwhy_ns now)
{
    uint16_t back = (uint16_t)(own->last_ip_id - s->ip_id);
    int32_t age = own->timestamps && s->options & TW_OPT_TIMESTAMP
                      ? tw_seq_diff(own->last_tsval, s->tsval)
                      : 0;

    if (age < 0 || !tw_recent_forgets(&own->recent, now, COPY_WITH_ID))
        return false;
    return id_is_counter(own, s) ? back < TW_ID_STEP : age > 0;
}

/*
 * A segment carries skipped bytes: was it overtaken, or lost before the vantage and retransmitted?
 * A packet sent earlier has the smaller ID and the older TSval; failing both, a retransmission
 * cannot come within an RTT of the hole.
 */
static uint8_t late_or_repeated(const struct tw_tracked *t, const struct tw_side *own)
{
    const struct tw_segment *s = t->segment;

    if (id_is_counter(own, s)) {
        int16_t step = (int16_t)(s->ip_id - own->last_ip_id);

        if (step < 0 && step > -TW_ID_STEP)
            return TCPWHY_CLASS_OUT_OF_ORDER;
        if (step > 0 && step < TW_ID_STEP)
            return TCPWHY_CLASS_RETRANSMISSION;
    }
    if ((s->options & TW_OPT_TIMESTAMP) && own->timestamps && s->tsval != own->last_tsval)
        return tw_seq_before(s->tsval, own->last_tsval) ? TCPWHY_CLASS_OUT_OF_ORDER
                                                        : TCPWHY_CLASS_RETRANSMISSION;

    tcpwhy_ns rtt = t->connection->handshake_rtt_ns;

    if (rtt == TCPWHY_NS_UNKNOWN)
        rtt = ASSUMED_RTT;
    return t->time_ns - own->hole_ns < rtt / 2 ? TCPWHY_CLASS_OUT_OF_ORDER
                                               : TCPWHY_CLASS_RETRANSMISSION;
}

static void take_new(struct tw_tracked *t, struct tw_side *own, int64_t end)
{
    if (t->seq > own->next) {
        tw_ranges_add(&own->holes, own->next, t->seq);
        own->hole_ns = t->time_ns;
        t->facts |= TW_FACT_HOLE_BEFORE;
    }
    t->frame_class = t->segment->len ? TCPWHY_CLASS_DATA : TCPWHY_CLASS_FIN;
    own->bytes += t->segment->len;
    tw_advance(own, end, t->segment->seq + (uint32_t)(end - t->seq));
}

/*
 * Data acknowledged before it was seen may be captured after its ACK: two queues of a card, or two
 * ports of a tap. Nothing was sent between it and the data seen before, then.
 */
static bool stands_behind_its_ack(const struct tw_side *own, const struct tw_segment *s)
{
    return own->acked_unseen == (uint32_t)own->frames && id_is_counter(own, s) &&
           (uint16_t)(s->ip_id - own->last_ip_id) == 1;
}

/* A FIN takes a sequence number and is seen for the first time like a byte. */
static bool brings_fin(const struct tw_tracked *t, const struct tw_side *own)
{
    int64_t at = t->seq + t->segment->len;

    return t->segment->flags & TW_FIN &&
           (at < own->first || at >= own->next || tw_ranges_overlap(&own->holes, at, at + 1) > 0);
}

static void take_old(struct tw_tracked *t, struct tw_side *own, int64_t end)
{
    int64_t to = end < own->next ? end : own->next;
    const bool fin = brings_fin(t, own);
    int64_t fresh = tw_ranges_remove(&own->holes, t->seq, to);

    if (t->seq < own->first) {
        fresh += (to < own->first ? to : own->first) - t->seq;
        own->first = t->seq;
    }
    if (fresh > 0 && stands_behind_its_ack(own, t->segment)) {
        t->facts |= TW_FACT_FILLS_HOLE;
        t->frame_class = TCPWHY_CLASS_OUT_OF_ORDER;
        tw_follow_counters(own, t->segment);
        own->acked_unseen++;
    } else if (fresh > 0) {
        t->facts |= TW_FACT_FILLS_HOLE;
        t->frame_class = late_or_repeated(t, own);
    } else {
        t->frame_class = TCPWHY_CLASS_RETRANSMISSION;
        if (end <= own->next)
            t->facts |= TW_FACT_SEEN_BEFORE;
    }
    if (end > own->next) {
        t->facts |= TW_FACT_NEW_TAIL;
        fresh += end - own->next;
        tw_advance(own, end, t->segment->seq + (uint32_t)(end - t->seq));
    }
    own->bytes += (uint64_t)(fresh - fin);
}

/* Leading bytes that were sent in a window probe and had no room, or in a SYN and were not
 * accepted: they were not lost, their turn is now (RFC 9293, 3.8.6.1). */
static uint32_t untaken_of(const struct tw_tracked *t, const struct tw_side *own)
{
    bool begins = t->seq == own->next - own->untaken && own->acked <= t->seq;

    return begins ? MIN(t->segment->len, own->untaken) : 0;
}

static void take_untaken(struct tw_tracked *t, struct tw_side *own, int64_t end, uint32_t untaken)
{
    t->frame_class = TCPWHY_CLASS_DATA;
    own->bytes += t->segment->len - untaken;
    tw_advance(own, end, t->segment->seq + (uint32_t)(end - t->seq));
}

void tw_payload_take(struct tw_tracked *t, struct tw_side *own)
{
    const struct tw_segment *s = t->segment;
    int64_t end = t->seq + s->len + !!(s->flags & TW_FIN);
    uint32_t untaken = untaken_of(t, own);

    own->untaken = untaken > 0 ? own->untaken - untaken : 0;
    if (untaken > 0)
        take_untaken(t, own, end, untaken);
    else if (t->seq >= own->next)
        take_new(t, own, end);
    else
        take_old(t, own, end);
    if ((t->facts & TW_FACT_SEEN_BEFORE) &&
        (tw_captured_before(t, own) || was_sent_earlier(own, s, t->time_ns)))
        t->frame_class = TCPWHY_CLASS_DUPLICATE_FRAME;
    if (t->frame_class == TCPWHY_CLASS_RETRANSMISSION) {
        own->retransmissions++;
        t->connection->doubtful = true;
        own->repeat_ticks = tw_recent_ticks(t->time_ns);
    }
    if (s->len > own->largest)
        own->largest = s->len;
}
