/* SPDX-License-Identifier: MIT */
#include "explain/model/replay.h"

#include <glib.h>

#include "explain/model/full_segment.h"
#include "explain/thresholds.h"

/* An ACK releases a burst, and a burst continues, within this: a softirq, or a program it wakes;
 * away from the sender, plus jitter. */
#define CLOCKED_NS TCPWHY_US(300)
#define BURST_NS   TCPWHY_US(50)

/* Error of the capture's timestamps against the kernel's own, for an ACK and a segment together. */
#define STAMPS_NS TCPWHY_US(50)

/* A host other than the vantage's is no nearer than this; for distant ones the jitter is this part
 * of the delay. */
#define HERE_NS    TCPWHY_US(100)
#define WAY_VARIES 16

/* An RTO may seem shorter by a tick and the error of SRTT. */
#define NEARLY(ns) ((ns) - (ns) / 10)

static bool is_data(const struct tw_record *r)
{
    return tw_record_end(r) > r->seq && !(r->flags & TW_RST);
}

/* Frames that are no sends, or that the pipe has counted as unseen. */
#define NO_SENDS                                                                                   \
    (1u << TCPWHY_CLASS_DUPLICATE_FRAME | 1u << TCPWHY_CLASS_KEEP_ALIVE |                          \
     1u << TCPWHY_CLASS_WINDOW_PROBE | 1u << TCPWHY_CLASS_OUT_OF_ORDER)

static bool is_send(const struct tw_record *r)
{
    return is_data(r) && !(1u << r->frame_class & NO_SENDS);
}

static uint32_t count_segments(const struct tw_log *log, enum tcpwhy_side from, int64_t mss_bytes)
{
    uint32_t n = 2;

    for (uint32_t i = 0; i < log->n; i++)
        if (log->record[i].from == from && is_data(&log->record[i]))
            n += 1 + tw_pipe_segments_of(log->record[i].len, mss_bytes);
    return n;
}

/* SYNs agree on SACK and ECN; without them, their use shows it. */
static void read_options(struct tw_replay *x, const struct tw_log *log)
{
    bool syn[2] = { false, false }, sack[2] = { false, false };
    bool sacked = false, ece = false;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->flags & TW_SYN) {
            syn[r->from] = true;
            sack[r->from] = sack[r->from] || (r->options & TW_OPT_SACK_PERMITTED);
            if ((r->flags & (TW_ACK | TW_ECE | TW_CWR | TW_AE)) == (TW_ACK | TW_ECE))
                ece = true;
        }
        sacked = sacked || r->n_sack > 0;
    }
    x->pipe.sacks = syn[0] && syn[1] ? sack[0] && sack[1] : sacked || !(syn[0] || syn[1]);
    x->ecn = ece;
}

void tw_replay_begin(struct tw_replay *x, const struct tw_replay_scene *scene)
{
    const struct tw_log *log = scene->log;
    bool begins = log->n > 0 && (log->record[0].flags & TW_SYN);

    *x = (struct tw_replay) { .scene = *scene,
                              .initial = { 1, TW_INITIAL_SEGMENTS },
                              .burst = { .last_ns = TCPWHY_NS_UNKNOWN },
                              .heard_ns = TCPWHY_NS_UNKNOWN,
                              .sent_ns = TCPWHY_NS_UNKNOWN,
                              .tsval_ns = TCPWHY_NS_UNKNOWN,
                              .edge = INT64_MAX,
                              .first_flight = begins };
    if (x->scene.mss_bytes <= 0)
        x->scene.mss_bytes = tw_full_segment_find(log, scene->from);
    tw_pipe_begin(&x->pipe, scene->scratch, count_segments(log, scene->from, x->scene.mss_bytes),
                  x->scene.mss_bytes);
    read_options(x, log);
    tw_send_clock_read(log, scene->from, &x->clock);
    if (scene->way_ns > HERE_NS || x->clock.often_late)
        x->error_ns = x->clock.tick_ns + scene->way_ns / WAY_VARIES;
    tw_ca_begin(&x->ca);
    tw_rto_begin(&x->rto, scene->known ? scene->known->rto_floor_ns : tw_rto_any_floor());
    tw_rtt_begin(&x->rtt, tw_rto_floor(&x->rto), begins);
    if (!begins)
        x->initial = tw_interval_unknown();
    tw_cwnd_begin(&x->cwnd, begins ? x->initial : (struct tw_interval) { 1, TW_NO_SSTHRESH }, 0);
    if (scene->known) {
        x->cwnd.restart = scene->known->restart;
        x->cwnd.known = scene->known->tells_congestion;
        x->cwnd.congestion = scene->known->congestion;
    }
}

static struct tw_cwnd_event event_of(const struct tw_replay *x, tcpwhy_ns at_ns)
{
    return (struct tw_cwnd_event) {
        .at_ns = at_ns,
        .pipe = &x->pipe,
        .state = x->ca.state,
        .rtt_ns = tw_interval_unknown(),
        .rtt_min_ns = x->rtt.min_ns,
        .rto_ns = tw_rto_likely(&x->rto, &x->rtt),
        .rto_least_ns = MAX(tw_rto_bounds(&x->rto, &x->rtt).lo, TCPWHY_MS(1)),
        .initial = x->initial,
    };
}

/* Segments that left together are judged together. */
static void settle(struct tw_replay *x)
{
    struct tw_cwnd_event e;

    if (x->burst.last_ns == TCPWHY_NS_UNKNOWN)
        return;
    e = event_of(x, x->burst.last_ns);
    tw_cwnd_settle(&x->cwnd, &e, x->edge - x->pipe.next >= x->scene.mss_bytes, x->burst.clocked);
    x->burst.last_ns = TCPWHY_NS_UNKNOWN;
}

/* Away from the sender, queues may lengthen a sample. */
static struct tw_interval sample(tcpwhy_ns ns, tcpwhy_ns error_ns)
{
    return (struct tw_interval) { MAX(ns - error_ns, 1), MAX(ns, 1) + error_ns };
}

/* RFC 7323, 4: TSecr against the sender's clock now. */
static struct tw_interval by_timestamp(const struct tw_replay *x, const struct tw_record *r,
                                       tcpwhy_ns at_ns)
{
    int64_t ticks_ago = (int32_t)(x->tsval - r->tsecr);

    if (x->clock.tick_ns == 0 || x->tsval_ns == TCPWHY_NS_UNKNOWN ||
        !(r->options & TW_OPT_TIMESTAMP) || ticks_ago < 0)
        return tw_interval_unknown();
    return sample(ticks_ago * x->clock.tick_ns + (at_ns - x->tsval_ns), x->clock.tick_ns);
}

/* tcp_ack_update_rtt(): the oldest acknowledged segment sent once, else the oldest SACKed, else
 * TSecr. @return the RTT of the newest of them. */
static struct tw_interval measure(struct tw_replay *x, const struct tw_record *r,
                                  const struct tw_pipe_news *news, tcpwhy_ns at_ns)
{
    struct tw_interval newest = tw_interval_unknown();
    tcpwhy_ns error_ns = STAMPS_NS + (x->error_ns > 0 ? x->clock.tick_ns : 0);
    struct tw_rtt_sample s = { .ns = tw_interval_unknown(),
                               .acked = x->pipe.una,
                               .next = x->pipe.next };

    if (news->acked_first_ns != TCPWHY_NS_UNKNOWN && !news->repeat_acked) {
        s.ns = sample(at_ns - news->acked_first_ns, error_ns);
        newest = sample(at_ns - news->acked_last_ns, error_ns);
    }
    if (news->sacked_first_ns != TCPWHY_NS_UNKNOWN) {
        newest = sample(at_ns - news->sacked_last_ns, error_ns);
        if (s.ns.hi == TW_UNBOUNDED)
            s.ns = sample(at_ns - news->sacked_first_ns, error_ns);
    }
    if (s.ns.hi == TW_UNBOUNDED && news->una_moved)
        newest = s.ns = by_timestamp(x, r, at_ns);
    if (s.ns.hi == TW_UNBOUNDED)
        return newest;
    tw_rtt_take(&x->rtt, &s);
    tw_rto_reset(&x->rto);
    return newest;
}

static void take_sacks(struct tw_replay *x, const struct tw_record *r, tcpwhy_ns at_ns,
                       struct tw_pipe_news *news)
{
    const struct tw_log *log = x->scene.log;

    for (uint32_t i = (r->facts & TW_FACT_DSACK) ? 1 : 0;
         i < r->n_sack && r->sack + i < log->n_sack; i++)
        tw_pipe_sack(&x->pipe, &log->sack[r->sack + i], at_ns, news);
}

/* RACK's reordering window (RFC 8985, 6.2; tcp_rack_reo_wnd()). */
static tcpwhy_ns reorder_ns(const struct tw_replay *x)
{
    tcpwhy_ns quarter_ns = x->rtt.min_ns.hi == TW_UNBOUNDED ? 0 : x->rtt.min_ns.hi / 4;

    return MIN(quarter_ns, x->rtt.srtt_ns8 / 8 / 8);
}

static void note_window(struct tw_replay *x, const struct tw_record *r)
{
    if (tw_record_knows_window(r) && r->ack >= x->pipe.una)
        x->edge = r->ack + r->window_bytes;
}

static void note_silence(struct tw_replay *x, tcpwhy_ns at_ns)
{
    tcpwhy_ns since_ns = MAX(x->heard_ns, x->sent_ns);

    if (x->pipe.out.packets > 0 && since_ns != TCPWHY_NS_UNKNOWN)
        tw_rto_keep(&x->rto, &x->rtt, at_ns - since_ns);
}

static void hear(struct tw_replay *x, const struct tw_record *r, tcpwhy_ns at_ns)
{
    struct tw_pipe_news news;
    struct tw_ca_ack ack = { .news = &news,
                             .ack = r->ack,
                             .tsecr = r->tsecr,
                             .stamped = r->options & TW_OPT_TIMESTAMP,
                             .ece = x->ecn && (r->flags & TW_ECE) && !(r->flags & TW_SYN),
                             .dsack = r->facts & TW_FACT_DSACK,
                             .duplicate = r->frame_class == TCPWHY_CLASS_DUPLICATE_ACK };
    struct tw_cwnd_event e;
    struct tw_interval rtt_ns;

    settle(x);
    note_silence(x, at_ns);
    tw_pipe_ack(&x->pipe, r->ack, at_ns, &news);
    take_sacks(x, r, at_ns, &news);
    if (!x->pipe.sacks && ack.duplicate && !news.una_moved)
        tw_pipe_duplicate(&x->pipe, &news);
    note_window(x, r);
    rtt_ns = measure(x, r, &news, at_ns);
    e = event_of(x, at_ns);
    e.what = tw_ca_hear(&x->ca, &x->pipe, &ack, at_ns, reorder_ns(x), &news);
    e.state = x->ca.state;
    e.rtt_ns = rtt_ns;
    e.news = &news;
    tw_cwnd_hear(&x->cwnd, &e);
    x->state.lost = news.lost > 0;
    if (news.una_moved || news.delivered > 0)
        x->heard_ns = at_ns;
    if (news.data_acked)
        x->first_flight = false;
}

/* Time since the sender last sent or received anything. */
static tcpwhy_ns silence_ns(const struct tw_replay *x, tcpwhy_ns at_ns)
{
    tcpwhy_ns since_ns = MAX(x->heard_ns, x->sent_ns);

    return since_ns == TCPWHY_NS_UNKNOWN ? 0 : at_ns - since_ns;
}

/* The event that triggered a retransmission: a timer fires after silence; a tail loss probe sends
 * the last segment, once, before any loss (RFC 8985, 7); the RTO resends the first. */
static enum tw_ca_trigger trigger_of(const struct tw_replay *x, const struct tw_record *r,
                                     tcpwhy_ns at_ns)
{
    tcpwhy_ns silent_ns = silence_ns(x, at_ns), rto_ns = tw_rto_likely(&x->rto, &x->rtt);
    bool first = r->seq <= x->pipe.una, last = tw_record_end(r) >= x->pipe.next;
    bool probes = x->pipe.sacks && x->ca.state <= TW_CA_CWR && x->ca.probe_end == 0 && last;

    if (tw_pipe_is_lost(&x->pipe, r->seq))
        return first && silent_ns >= NEARLY(rto_ns) ? TW_CA_BY_RTO : TW_CA_BY_ACKS;
    if (silent_ns <= x->rtt.srtt_ns8 / 8)
        return TW_CA_BY_ACKS;
    if (probes)
        return first && silent_ns >= NEARLY(rto_ns) ? TW_CA_BY_EITHER_TIMER : TW_CA_BY_PROBE_TIMER;
    return first ? TW_CA_BY_RTO : TW_CA_BY_ACKS;
}

/* A tail loss probe waits for two RTTs, plus a delayed ACK if one segment is outstanding, unless
 * the RTO is shorter (RFC 8985, 7.2). */
static bool is_rto_of_probe(const struct tw_replay *x, tcpwhy_ns at_ns)
{
    tcpwhy_ns probe_ns = 2 * x->rtt.srtt_ns8 / 8;

    if (x->pipe.out.packets == 1)
        probe_ns += tw_rto_floor(&x->rto);
    return silence_ns(x, at_ns) < NEARLY(probe_ns);
}

static void resend(struct tw_replay *x, const struct tw_record *r, tcpwhy_ns at_ns)
{
    int64_t end = MIN(tw_record_end(r), x->pipe.next);
    struct tw_ca_repeat repeat = { .trigger = trigger_of(x, r, at_ns),
                                   .tsval = r->tsval,
                                   .stamped = r->options & TW_OPT_TIMESTAMP,
                                   .packets =
                                       tw_pipe_segments_of(end - r->seq, x->scene.mss_bytes) };
    struct tw_cwnd_event e = event_of(x, at_ns);

    if (repeat.trigger != TW_CA_BY_ACKS && is_rto_of_probe(x, at_ns))
        tw_rto_see(&x->rto, &x->rtt, silence_ns(x, at_ns));
    if (repeat.trigger == TW_CA_BY_RTO)
        tw_rto_fire(&x->rto, &x->rtt, silence_ns(x, at_ns));
    if (repeat.trigger == TW_CA_BY_ACKS)
        tw_pipe_lose(&x->pipe, r->seq, end);
    e.what = tw_ca_repeat(&x->ca, &x->pipe, &repeat, at_ns);
    e.state = x->ca.state;
    tw_cwnd_change(&x->cwnd, &e);
    tw_pipe_resend(&x->pipe, r->seq, end, at_ns);
    tw_cwnd_send(&x->cwnd, &e, repeat.packets, false);
    x->state.resent = true;
}

/* Data sent before any was acknowledged shows the initial window. */
static void note_first_flight(struct tw_replay *x, int64_t unsure)
{
    int64_t flight = x->pipe.out.packets - unsure;

    if (!x->first_flight)
        return;
    x->initial.lo = MAX(x->initial.lo, flight);
    x->initial.hi = MAX(x->initial.hi, flight);
}

/* Segments that seem in flight and may be acknowledged: away from the sender the moment it heard is
 * not exact. */
static int64_t unsure_segments(struct tw_replay *x, tcpwhy_ns at_ns)
{
    const struct tw_log *log = x->scene.log;

    if (x->error_ns == 0)
        return 0;
    for (; x->next_ahead < log->n; x->next_ahead++) {
        const struct tw_record *r = &log->record[x->next_ahead];

        if (r->time_ns + x->scene.way_ns > at_ns + x->error_ns)
            break;
        if (r->from != x->scene.from && (r->flags & TW_ACK))
            x->acked_ahead = MAX(x->acked_ahead, r->ack);
    }
    return MAX((x->acked_ahead - x->pipe.una + x->scene.mss_bytes - 1) / x->scene.mss_bytes, 0);
}

/* A tail loss probe may carry new data, whatever cwnd is (RFC 8985, 7.3). */
static bool may_probe(const struct tw_replay *x, tcpwhy_ns at_ns)
{
    return x->pipe.sacks && silence_ns(x, at_ns) > x->rtt.srtt_ns8 / 8;
}

static void send_new(struct tw_replay *x, const struct tw_record *r, tcpwhy_ns at_ns)
{
    int64_t out = x->pipe.out.packets;
    struct tw_cwnd_event e;

    if (out == 0 && r->len > 0 && x->sent_ns != TCPWHY_NS_UNKNOWN) {
        e = event_of(x, at_ns);
        tw_cwnd_restart(&x->cwnd, &e, at_ns - x->sent_ns);
    }
    tw_pipe_send(&x->pipe, MAX(r->seq, x->pipe.next), tw_record_end(r),
                 at_ns - (x->error_ns == 0 ? tw_send_clock_late_ns(&x->clock, r) : 0));
    e = event_of(x, at_ns);
    e.unsure = unsure_segments(x, at_ns);
    if (out > 0 && may_probe(x, at_ns))
        e.unsure += x->pipe.out.packets - out;
    if (!(r->flags & TW_SYN) && r->len > 0) {
        tw_cwnd_send(&x->cwnd, &e, x->pipe.out.packets - out, true);
        note_first_flight(x, e.unsure);
    }
}

static void send(struct tw_replay *x, const struct tw_record *r, tcpwhy_ns at_ns)
{
    if (x->burst.last_ns == TCPWHY_NS_UNKNOWN) {
        x->burst.clocked = x->heard_ns != TCPWHY_NS_UNKNOWN && at_ns - x->heard_ns <= CLOCKED_NS;
    } else if (at_ns - x->burst.last_ns > BURST_NS) {
        settle(x);
        x->burst.clocked = false;
    }
    if (x->pipe.n > 0 && r->seq < x->pipe.next)
        resend(x, r, at_ns);
    if (x->pipe.n == 0 || tw_record_end(r) > x->pipe.next)
        send_new(x, r, at_ns);
    x->sent_ns = x->burst.last_ns = at_ns;
}

static struct tw_interval in_bytes(struct tw_interval packets, int64_t mss_bytes)
{
    struct tw_interval bytes = { packets.lo * mss_bytes, packets.hi * mss_bytes };

    if (packets.lo >= TW_NO_SSTHRESH)
        bytes.lo = TW_UNBOUNDED;
    if (packets.hi >= TW_NO_SSTHRESH)
        bytes.hi = TW_UNBOUNDED;
    return bytes;
}

static void describe(struct tw_replay *x, const struct tw_record *r, bool sent, tcpwhy_ns at_ns)
{
    struct tw_replay_state *st = &x->state;

    st->at_ns = at_ns;
    st->record = r;
    st->sent = sent;
    st->una = x->pipe.una;
    st->next = x->pipe.next;
    st->edge = x->edge;
    st->flight_bytes = x->pipe.next - x->pipe.una;
    st->pipe_bytes = tw_pipe_in_flight(&x->pipe).bytes;
    st->mss_bytes = x->scene.mss_bytes;
    st->ca = x->ca.state;
    st->cwnd_bytes = in_bytes(tw_cwnd_bounds(&x->cwnd), st->mss_bytes);
    st->ssthresh_bytes = in_bytes(tw_cwnd_ssthresh(&x->cwnd), st->mss_bytes);
    st->srtt_ns = tw_rtt_srtt(&x->rtt);
    st->rttvar_ns = tw_rtt_rttvar(&x->rtt);
    st->rtt_min_ns = x->rtt.min_ns;
    st->rto_ns = tw_rto_bounds(&x->rto, &x->rtt);
    /* away from the sender and without its clock, queueing before the vantage is unknown */
    if (x->scene.way_ns > HERE_NS && x->clock.tick_ns == 0)
        st->srtt_ns.hi = st->rttvar_ns.hi = st->rtt_min_ns.hi = st->rto_ns.hi = TW_UNBOUNDED;
    st->rto_likely_ns = st->rto_ns.hi == TW_UNBOUNDED ? 0 : tw_rto_likely(&x->rto, &x->rtt);
}

static uint32_t next_of(const struct tw_log *log, uint32_t i, bool of_sender,
                        enum tcpwhy_side sender)
{
    while (i < log->n && (log->record[i].from == sender) != of_sender)
        i++;
    return i;
}

/* When a segment left: away from the sender, by its own clock; at the sender, the capture's order
 * is the sender's. */
static tcpwhy_ns left_ns(const struct tw_replay *x, const struct tw_record *r)
{
    return r->time_ns - x->scene.way_ns -
           (x->error_ns > 0 ? tw_send_clock_late_ns(&x->clock, r) : 0);
}

/* The next record and its time at the sender: sent segments pass here later, heard ones earlier. */
static const struct tw_record *next_record(struct tw_replay *x, bool *sent, tcpwhy_ns *at_ns)
{
    const struct tw_log *log = x->scene.log;
    tcpwhy_ns sent_ns, heard_ns;

    x->next_sent = next_of(log, x->next_sent, true, x->scene.from);
    x->next_heard = next_of(log, x->next_heard, false, x->scene.from);
    if (x->next_sent == log->n && x->next_heard == log->n)
        return NULL;
    sent_ns = x->next_sent < log->n ? left_ns(x, &log->record[x->next_sent]) : INT64_MAX;
    heard_ns =
        x->next_heard < log->n ? log->record[x->next_heard].time_ns + x->scene.way_ns : INT64_MAX;
    *sent = sent_ns < heard_ns || (sent_ns == heard_ns && x->next_sent < x->next_heard);
    *at_ns = *sent ? sent_ns : heard_ns;
    return &log->record[*sent ? x->next_sent++ : x->next_heard++];
}

const struct tw_replay_state *tw_replay_next(struct tw_replay *x)
{
    const struct tw_record *r;
    tcpwhy_ns at_ns;
    bool sent;

    while ((r = next_record(x, &sent, &at_ns))) {
        x->state.resent = x->state.lost = false;
        if (sent && (r->options & TW_OPT_TIMESTAMP)) {
            x->tsval = r->tsval;
            x->tsval_ns = at_ns;
        }
        if (sent && is_send(r))
            send(x, r, at_ns);
        else if (!sent && (r->flags & TW_ACK) && !(r->flags & TW_RST))
            hear(x, r, at_ns);
        else
            continue;
        describe(x, r, sent, at_ns);
        return &x->state;
    }
    settle(x);
    return NULL;
}

void tw_replay_learn(const struct tw_replay_scene *scene, struct tw_replay_known *out)
{
    struct tw_replay x;

    tw_replay_begin(&x, scene);
    while (tw_replay_next(&x))
        ;
    *out = (struct tw_replay_known) { .rto_floor_ns = x.rto.floor_ns,
                                      .restart = tw_cwnd_tell_restart(&x.cwnd) };
    out->tells_congestion = tw_cwnd_tell(&x.cwnd, x.error_ns == 0, &out->congestion);
}

void tw_replay_visit(const struct tw_replay_scene *scene,
                     void (*visit)(void *user, const struct tw_replay_state *state), void *user)
{
    struct tw_replay_scene informed = *scene;
    struct tw_replay_known known;
    const struct tw_replay_state *st;
    struct tw_replay x;

    tw_replay_learn(scene, &known);
    informed.known = &known;
    tw_replay_begin(&x, &informed);
    while ((st = tw_replay_next(&x)))
        visit(user, st);
}
