/* SPDX-License-Identifier: MIT */
/* Traffic that a host receives over all its connections, and the rate of its link. */
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "tests/unit/session_wire.h"
#include "tests/unit/talk.h"
#include "track/host_rx_rate.h"

#define MSS 1000

/* Full segments come at an even pace, from a time on. @return the last one's. */
static tcpwhy_ns come(struct tw_host_rx_rate *in, unsigned segments, tcpwhy_ns every, tcpwhy_ns at)
{
    for (unsigned i = 0; i < segments; i++)
        tw_host_rx_rate_add(&in->host[7], MSS, at += every);
    return at;
}

#define HOST_RX_RATE_TEST(name)                                                                    \
    TEST_WITH(name, struct tw_host_rx_rate, in, *in = (struct tw_host_rx_rate) { 0 }, (void)in)

HOST_RX_RATE_TEST(a_link_carries_what_comes_evenly)
{
    come(in, 100, TCPWHY_MS(1), 0);
    assert_int_equal(in->host[7].bytes, 100 * MSS);
    assert_float_equal(in->host[7].rate, MSS / 1e-3, 1);
    assert_int_equal(in->host[8].bytes, 0);
}

TEST(a_pause_and_what_follows_it_at_once_make_no_faster_link)
{
    struct tw_host_rx_rate in = { 0 };
    tcpwhy_ns at = come(&in, 50, TCPWHY_MS(1), 0);

    at = come(&in, 1, TCPWHY_MS(12), at);
    at = come(&in, 11, 1, at);
    come(&in, 50, TCPWHY_MS(1), at);
    assert_float_equal(in.host[7].rate, MSS / 1e-3, 1);
}

TEST(a_long_fast_burst_does)
{
    struct tw_host_rx_rate in = { 0 };
    tcpwhy_ns at = come(&in, 50, TCPWHY_MS(1), 0);

    come(&in, 32, TCPWHY_US(100), at);
    assert_float_equal(in.host[7].rate, MSS / 100e-6, 1);
}

/* Segments of each message arrive at once, and the next message follows when the host has read that
 * one. */
HOST_RX_RATE_TEST(a_conversation_fills_no_link)
{
    tcpwhy_ns at = 0;

    for (unsigned i = 0; i < 50; i++)
        at = come(in, 5, TCPWHY_US(10), at + TCPWHY_MS(100));
    assert_float_equal(tw_host_rx_rate_rate(&in->host[7]), 0, 0);
}

/* A host that is busy now and then takes what waited at once. */
HOST_RX_RATE_TEST(a_fast_train_in_eight_empties_none)
{
    tcpwhy_ns at = 0;

    for (unsigned i = 0; i < 10; i++) {
        at = come(in, 35, TCPWHY_MS(1), at);
        at = come(in, 5, TCPWHY_US(50), at + TCPWHY_MS(5));
    }
    assert_float_equal(tw_host_rx_rate_rate(&in->host[7]), MSS / 1e-3, 1);
}

HOST_RX_RATE_TEST(frames_at_one_moment_divide_by_nothing)
{
    come(in, 100, 0, TCPWHY_S(1));
    assert_true(in->host[7].rate > 0);
}

TEST(a_host_has_the_same_number_in_each_run)
{
    uint8_t one[16] = { 10, 9, 0, 1 }, other[16] = { 10, 9, 0, 2 };

    assert_int_equal(tw_host_rx_number(one), 486);
    assert_int_not_equal(tw_host_rx_number(one), tw_host_rx_number(other));
    memset(other, 0xff, sizeof other);
    assert_true(tw_host_rx_number(other) < TW_HOST_RX_RATE_HOSTS);
}

TEST(a_segment_comes_to_the_other_side_s_host)
{
    struct talk t;

    talk_open(&t, C, 1000);
    talk_data(&t, 3000, S, 500);
    talk_data(&t, 3001, C, 70);
    assert_int_equal(t.last.rx_rate[C], 500);
    assert_int_equal(t.last.rx_rate[S], 70);
    assert_int_equal(t.log->record[t.log->n - 1].to_client, 500);
    assert_int_equal(t.log->record[t.log->n - 1].to_server, 70);
    talk_close(&t);
}

/* ---- a whole capture ------------------------------------------------------------------------- */

#define WAY_US   20000
#define LINK_US  1600 /* for 200 bytes */
#define REQUESTS 40

static void push_us(tcpwhy_session *s, int64_t us, unsigned port, bool up, uint32_t seq,
                    uint32_t ack, uint8_t flags, unsigned len)
{
    uint8_t bytes[HEADERS + 200];
    struct tcpwhy_packet p = {
        .struct_size = sizeof p, .link_type = RAW_IP, .time_ns = TCPWHY_US(us), .bytes = bytes
    };

    p.captured_len = p.original_len = (uint32_t)packet(bytes, port, up, seq, ack, flags, len);
    tcpwhy_session_push(s, &p);
}

/* Many connections ask again as soon as they are answered; the link is never idle. The capture is
 * made so far from the client. */
static tcpwhy_report *ask_side_by_side(unsigned connections, int64_t off_us)
{
    tcpwhy_session *s = start(NULL);
    int64_t us = 0;

    for (unsigned i = 0; i < connections; i++) {
        push_us(s, us = i * 100, 1000 + i, true, 0, 0, TW_SYN, 0);
        push_us(s, us += WAY_US, 1000 + i, false, 0, 1, TW_SYN | TW_ACK, 0);
        push_us(s, us += 2 * off_us, 1000 + i, true, 1, 1, TW_ACK, 0);
        push_us(s, us, 1000 + i, true, 1, 1, TW_PSH | TW_ACK, 100);
    }
    us = 3 * WAY_US;
    for (unsigned n = 0; n < REQUESTS; n++)
        for (unsigned i = 0; i < connections; i++) {
            uint32_t seq = 101 + n * 100, ack = 1 + n * 200;

            push_us(s, us += LINK_US, 1000 + i, false, ack, seq, TW_PSH | TW_ACK, 200);
            push_us(s, us + 1 + 2 * off_us, 1000 + i, true, seq, ack + 200, TW_PSH | TW_ACK, 100);
        }
    return finish(s);
}

static void assert_waits_for_the_link(int64_t off_us)
{
    g_autoptr(tcpwhy_report) report = ask_side_by_side(50, off_us);
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    size_t n;

    assert_int_equal(v->cause, TCPWHY_BANDWIDTH_LIMITED);
    assert_int_equal(v->confidence, TCPWHY_LIKELY);
    assert_int_equal(v->rival, TCPWHY_SERVER_THINK);
    assert_non_null(strstr(tw_report_findings(report, &n)->summary, "together filled its link"));
}

TEST(requests_side_by_side_wait_for_the_link)
{
    assert_waits_for_the_link(0);
}

TEST(a_link_shared_by_connections_is_seen_away_from_the_host)
{
    assert_waits_for_the_link(700);
}
