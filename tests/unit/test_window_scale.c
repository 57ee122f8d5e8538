/* SPDX-License-Identifier: MIT */
/*
 * Downloads from whose middle the capture holds frames: how the client's windows scale is told by
 * what the server sends within them, and by what the client never takes back.
 */
#include "tests/unit.h"

#include "explain/sender/window_scale.h"
#include "tests/unit/verdict.h"

#define RTT    40000
#define ROUNDS 16
#define RAW    200 /* as the frames say; by 64 it is 12,800 bytes */
#define SHIFT  6
#define WINDOW (RAW << SHIFT)
#define FULL   (WINDOW / TALK_MSS)

/* Segments of each flight that the client reads at once, and segments in the server's flights. */
struct download {
    enum tcpwhy_side vantage;
    uint32_t read; /* segments */
    uint32_t flight;
};

static void stamped(struct talk *t, int64_t at_us, enum tcpwhy_side from, uint32_t len)
{
    uint32_t heard = t->last.connection->side[!from].last_tsval;

    talk_stamped(t, at_us, from, len, TW_ACK, (uint32_t)(at_us / 1000), heard);
}

static void acked(struct talk *t, int64_t at_us, uint32_t room)
{
    t->window[C] = room >> SHIFT;
    stamped(t, at_us, C, 0);
}

/* A flight at once, and its ACK a round trip later. What the client has not read by then it reads
 * while the next flight is under way. */
static void download(struct talk *t, const struct download *d)
{
    int64_t to_client = d->vantage == S ? RTT : 0, at_us = 1000;

    talk_init(t);
    t->window[S] = RAW;
    t->window[C] = RAW;
    talk_stamped(t, 0, C, 0, TW_ACK, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < d->flight; i++)
            stamped(t, at_us + i, S, TALK_MSS);
        if (d->read < d->flight)
            acked(t, at_us + to_client + 200, WINDOW - (d->flight - d->read) * TALK_MSS);
        acked(t, at_us + to_client + 300, WINDOW);
        at_us += RTT + 400;
    }
    talk_explain(t);
    assert_complete(t);
}

#define MOST 400

/* Infer the window scale from the windows that the server fills. */
static struct tw_sender_timeline infer(const struct talk *t, enum tcpwhy_side vantage)
{
    struct tw_send send[MOST];
    struct tw_sender_timeline x = { .from = S,
                                    .record = t->log->record,
                                    .to_sender = vantage == C ? TCPWHY_US(RTT / 2) : 0,
                                    .send = send,
                                    .mss_bytes = TALK_MSS };

    for (uint32_t i = 0; i < t->log->n && x.n < MOST; i++) {
        const struct tw_record *r = &t->log->record[i];
        bool again = r->frame_class == TCPWHY_CLASS_RETRANSMISSION;

        if (r->from == S)
            send[x.n++] = (struct tw_send) { .end = tw_record_end(r),
                                             .record = i,
                                             .is = again ? TW_SEND_REPEAT : TW_SEND_FRESH };
    }
    tw_window_scale_infer(&x, t->log);
    return x;
}

static void assert_inferred(const struct talk *t, enum tcpwhy_side vantage,
                            enum tw_inference inferred)
{
    struct tw_sender_timeline x = infer(t, vantage);

    assert_int_equal(x.wscale_inferred, inferred);
    if (inferred)
        assert_int_equal(x.wscale, SHIFT);
}

static void assert_limits_most(const struct talk *t)
{
    assert_in_range(talk_charged(t, TCPWHY_RECEIVE_WINDOW_LIMITED), (ROUNDS - 4) * RTT,
                    ROUNDS * (RTT + 400));
}

#define TALK_TEST(name) TEST_WITH(name, struct talk, t, (void)t, talk_close(t))

TALK_TEST(a_scale_by_which_windows_are_filled_is_likely)
{
    download(t, &(struct download) { S, FULL, FULL });
    assert_doubted(t, TCPWHY_RECEIVE_WINDOW_LIMITED, TCPWHY_SEND_BUFFER_LIMITED);
    assert_limits_most(t);
}

TALK_TEST(a_scale_is_sure_where_by_a_larger_one_room_was_taken_back)
{
    download(t, &(struct download) { S, FULL / 4, FULL });
    assert_sure(t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    assert_limits_most(t);
}

TALK_TEST(away_from_the_sender_what_it_had_heard_is_inferred_too)
{
    download(t, &(struct download) { C, FULL, FULL });
    assert_doubted(t, TCPWHY_RECEIVE_WINDOW_LIMITED, TCPWHY_APP_LIMITED);
    assert_limits_most(t);
    talk_close(t);
    download(t, &(struct download) { C, FULL / 4, FULL });
    assert_sure(t, TCPWHY_RECEIVE_WINDOW_LIMITED);
    assert_limits_most(t);
}

/* At the client, which acknowledges each segment of a steady flow, and reads once in a while. */
#define STEADY 160
#define UNREAD 8

static void flow_steadily(struct talk *t)
{
    talk_init(t);
    t->window[S] = RAW;
    t->window[C] = 2 * RAW;
    talk_stamped(t, 0, C, 0, TW_ACK, 0, 0);
    for (uint32_t i = 0; i < STEADY; i++) {
        stamped(t, 1000 + i * (RTT / FULL), S, TALK_MSS);
        acked(t, 1010 + i * (RTT / FULL), 2 * WINDOW - i % UNREAD * TALK_MSS);
    }
}

TALK_TEST(a_scale_that_depends_on_the_round_trip_is_likely)
{
    flow_steadily(t);
    talk_explain(t);
    assert_inferred(t, C, TW_INFERRED_LIKELY);
}

TALK_TEST(windows_that_nobody_fills_tell_no_scale)
{
    download(t, &(struct download) { S, FULL, FULL - 2 });
    assert_null(talk_span(t, TCPWHY_RECEIVE_WINDOW_LIMITED));
    assert_inferred(t, S, TW_INFERRED_NOT);
}

TALK_TEST(flights_that_fit_no_scale_tell_none)
{
    download(t, &(struct download) { S, FULL / 4, 2 * FULL });
    assert_null(talk_span(t, TCPWHY_RECEIVE_WINDOW_LIMITED));
    assert_inferred(t, S, TW_INFERRED_NOT);
}

/* A time after the download. */
#define THEN (ROUNDS * (RTT + 400) + 1000)

/* An ACK that the capture lacks, and one that stands behind a later one. */
TALK_TEST(one_flight_that_does_not_fit_is_ignored)
{
    download(t, &(struct download) { S, FULL / 4, FULL });
    for (uint32_t i = 0; i < FULL + 3; i++)
        stamped(t, THEN + i, S, TALK_MSS);
    acked(t, THEN + RTT, WINDOW);
    acked(t, THEN + RTT + 1, WINDOW / 2);
    assert_inferred(t, S, TW_INFERRED_SURELY);
}

TALK_TEST(zero_window_probes_tell_no_scale)
{
    download(t, &(struct download) { S, FULL / 4, FULL });
    for (uint32_t i = 0; i < FULL; i++)
        stamped(t, THEN + i, S, TALK_MSS);
    acked(t, THEN + RTT, WINDOW - FULL * TALK_MSS);
    stamped(t, THEN + RTT + 1, S, WINDOW - FULL * TALK_MSS);
    acked(t, THEN + 2 * RTT, 0);
    for (uint32_t i = 1; i < MOST / 8; i++)
        stamped(t, THEN + (i + 2) * RTT, S, 10);
    assert_inferred(t, S, TW_INFERRED_SURELY);
}
