/* SPDX-License-Identifier: MIT */
/*
 * A connection told frame by frame with its times, through the real tracker, log, exchanges and
 * explanation. Segments carry at most TALK_MSS bytes; times are microseconds.
 */
#ifndef TW_TESTS_UNIT_TALK_H
#define TW_TESTS_UNIT_TALK_H

#include <string.h>

#include "app/app.h"
#include "explain/explain.h"
#include "log/log.h"
#include "track/track.h"

#define TALK_MSS    1000u
#define TALK_WINDOW 60000u
#define C           TCPWHY_CLIENT
#define S           TCPWHY_SERVER

struct talk {
    struct tw_tracker *tracker;
    struct tw_tracked last; /* what the tracker said of the last frame */
    struct tw_log *log;
    struct tw_exchanges exchanges;
    struct tw_explainer explainer;
    struct tw_explanation explanation;
    uint32_t isn[2];
    uint32_t next[2];   /* sequence number after what each side has sent */
    uint32_t window[2]; /* advertised from now on */
    uint16_t mss;       /* of both */
    uint8_t wscale;     /* of both; 0: none, as talk_open() leaves it */
    bool no_sack;       /* nor SACK, which talk_open() has them agree on */
    bool loopback;      /* both are one host */
    uint16_t port;      /* the server's; 0: 80 */
    uint16_t ip_id[2];
    uint32_t frame;
};

static inline struct tw_segment talk_segment(const struct talk *t, enum tcpwhy_side from,
                                             uint32_t seq, uint32_t len, uint16_t flags)
{
    struct tw_segment s = {
        .tuple = { .version = 4, .port = { 40000, t->port ? t->port : 80 } },
        .seq = seq,
        .ack = flags & TW_ACK ? t->next[!from] : 0,
        .flags = flags,
        .window = (uint16_t)t->window[from],
        .ip_id = t->ip_id[from],
        .ttl = 64,
        .len = len,
    };

    s.tuple.address[0][0] = t->loopback ? 127 : 10;
    s.tuple.address[1][0] = t->loopback ? 127 : 10;
    s.tuple.address[1][1] = 20;
    if (from == S) {
        struct tw_tuple own = s.tuple;

        memcpy(s.tuple.address[0], own.address[1], 16);
        memcpy(s.tuple.address[1], own.address[0], 16);
        s.tuple.port[0] = own.port[1];
        s.tuple.port[1] = own.port[0];
    }
    if (flags & TW_SYN) {
        s.options = TW_OPT_MSS | (t->no_sack ? 0 : TW_OPT_SACK_PERMITTED);
        s.mss = t->mss;
        if (t->wscale) {
            s.options |= TW_OPT_WSCALE;
            s.wscale = t->wscale;
        }
    }
    return s;
}

static inline void talk_push(struct talk *t, int64_t at_us, struct tw_segment *s)
{
    tw_tracker_push(t->tracker, s, TCPWHY_US(at_us), ++t->frame, &t->last);
    tw_log_append(t->log, &t->last);
    t->last.segment = NULL;
}

/* A frame at the edge of what its sender has sent. */
static inline void talk(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint32_t len,
                        uint16_t flags)
{
    t->ip_id[from]++;

    struct tw_segment s = talk_segment(t, from, t->next[from], len, flags);

    t->next[from] += len + !!(flags & TW_SYN) + !!(flags & TW_FIN);
    talk_push(t, at_us, &s);
}

/* With TCP timestamps; tsecr: what its sender had heard last. */
static inline void talk_stamped(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint32_t len,
                                uint16_t flags, uint32_t tsval, uint32_t tsecr)
{
    struct tw_segment s;

    t->ip_id[from]++;
    s = talk_segment(t, from, t->next[from], len, flags);
    s.options |= TW_OPT_TIMESTAMP;
    s.tsval = tsval;
    s.tsecr = tsecr;
    t->next[from] += len + !!(flags & TW_SYN);
    talk_push(t, at_us, &s);
}

static inline void talk_data(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint32_t len)
{
    talk(t, at_us, from, len, TW_ACK | TW_PSH);
}

static inline void talk_ack(struct talk *t, int64_t at_us, enum tcpwhy_side from)
{
    talk(t, at_us, from, 0, TW_ACK);
}

/* The client sends its SYN again. */
static inline void talk_syn_again(struct talk *t, int64_t at_us)
{
    t->next[C] = t->isn[C];
    talk(t, at_us, C, 0, TW_SYN);
}

/* Bytes that the side sends again (or only now, when they were lost before the vantage). */
static inline void talk_again(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint32_t offset,
                              uint32_t len)
{
    struct tw_segment s;

    t->ip_id[from]++;
    s = talk_segment(t, from, t->isn[from] + 1 + offset, len, TW_ACK);
    talk_push(t, at_us, &s);
}

/* The side sends bytes that do not pass the vantage. */
static inline void talk_lost(struct talk *t, enum tcpwhy_side from, uint32_t len)
{
    t->ip_id[from]++;
    t->next[from] += len;
}

static inline void talk_init(struct talk *t)
{
    *t = (struct talk) { .isn = { 5000, 9000 },
                         .next = { 5000, 9000 },
                         .window = { TALK_WINDOW, TALK_WINDOW },
                         .mss = TALK_MSS,
                         .ip_id = { 100, 700 } };
    t->tracker = tw_tracker_new(false);
    t->log = tw_log_new();
}

/* A handshake seen from one end over a path of this round trip. */
static inline void talk_shake_hands(struct talk *t, enum tcpwhy_side vantage, int64_t rtt_us)
{
    int64_t to_server = vantage == C ? rtt_us : 10, to_client = vantage == C ? 10 : rtt_us;

    talk(t, 0, C, 0, TW_SYN);
    talk(t, to_server, S, 0, TW_SYN | TW_ACK);
    talk(t, to_server + to_client, C, 0, TW_ACK);
}

static inline void talk_open(struct talk *t, enum tcpwhy_side vantage, int64_t rtt_us)
{
    talk_init(t);
    talk_shake_hands(t, vantage, rtt_us);
}

/* With windows of 15 MB. */
static inline void talk_open_wide(struct talk *t, enum tcpwhy_side vantage, int64_t rtt_us)
{
    talk_init(t);
    t->wscale = 8;
    talk_shake_hands(t, vantage, rtt_us);
}

static inline void talk_explain(struct talk *t)
{
    tw_exchanges_build(t->log, NULL, &t->exchanges);
    tw_explain(t->last.connection, t->log, &t->exchanges, &t->explainer, &t->explanation);
}

/* Explained once more: the first answer as a protocol tells it, with a length or without. */
static inline void talk_explain_framed(struct talk *t, bool in_pieces)
{
    t->exchanges.exchange[0].framed = true;
    t->exchanges.exchange[0].in_pieces = in_pieces;
    tw_explanation_clear(&t->explanation);
    tw_explain(t->last.connection, t->log, &t->exchanges, &t->explainer, &t->explanation);
}

/* Explain it as of sides that speak at will, from the first exchange on; stands: as it asked. */
static inline void talk_explain_at_will(struct talk *t, bool stands)
{
    tw_exchanges_build(t->log, NULL, &t->exchanges);
    t->exchanges.exchange[0].at_will = true;
    t->exchanges.exchange[0].stands = stands;
    tw_explain(t->last.connection, t->log, &t->exchanges, &t->explainer, &t->explanation);
}

/* Microseconds charged to a cause. */
static inline int64_t talk_charged(const struct talk *t, enum tcpwhy_cause cause)
{
    tcpwhy_ns sum = 0;

    for (uint32_t i = 0; i < t->explanation.n_spans; i++)
        if (t->explanation.span[i].cause == cause)
            sum += t->explanation.span[i].to_ns - t->explanation.span[i].from_ns;
    for (uint32_t i = 0; i < t->explanation.n_readings; i++)
        if (t->explanation.reading[i].span.cause == cause)
            sum += t->explanation.reading[i].span.to_ns - t->explanation.reading[i].span.from_ns;
    return sum / 1000;
}

static inline const struct tw_span *talk_span(const struct talk *t, enum tcpwhy_cause cause)
{
    for (uint32_t i = 0; i < t->explanation.n_spans; i++)
        if (t->explanation.span[i].cause == cause)
            return &t->explanation.span[i];
    for (uint32_t i = 0; i < t->explanation.n_readings; i++)
        if (t->explanation.reading[i].span.cause == cause)
            return &t->explanation.reading[i].span;
    return NULL;
}

static inline const struct tw_span *talk_longest_span(const struct talk *t, enum tcpwhy_cause cause)
{
    const struct tw_span *longest = NULL;

    for (uint32_t i = 0; i < t->explanation.n_spans; i++) {
        const struct tw_span *s = &t->explanation.span[i];

        if (s->cause == cause &&
            (!longest || s->to_ns - s->from_ns > longest->to_ns - longest->from_ns))
            longest = s;
    }
    return longest;
}

static inline void talk_close(struct talk *t)
{
    tw_explanation_clear(&t->explanation);
    tw_scratch_clear(&t->explainer.scratch);
    tw_exchanges_clear(&t->exchanges);
    tw_log_free(t->log);
    tw_tracker_free(t->tracker);
}

#endif
