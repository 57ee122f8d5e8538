/* SPDX-License-Identifier: MIT */
/*
 * Queueing delay of a host's sent segments, from a whole capture at a client that uploads, or
 * downloads, on one connection and sends requests on another: its link carries a segment in 5 ms,
 * and up to twenty of them are queued.
 */
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "tests/unit/session_wire.h"

#define SEGMENT   1000u
#define SEGMENTS  20u /* in flight */
#define LINK_US   5000
#define RTT_US    20000
#define FULL_US   (SEGMENTS * LINK_US) /* there and back behind the queue */
#define PERIOD_US 400000
#define QUESTIONS 8
#define UPLOAD    1000 /* the ports */
#define ASKER     1001

/* As a mirror port writes each frame: when it comes in and when it goes out. */
static unsigned times_written = 1;

static void push_us(tcpwhy_session *s, int64_t us, unsigned port, bool up, uint32_t seq,
                    uint32_t ack, uint8_t flags, unsigned len)
{
    uint8_t bytes[HEADERS + SEGMENT];
    struct tcpwhy_packet p = {
        .struct_size = sizeof p, .link_type = RAW_IP, .time_ns = TCPWHY_US(us), .bytes = bytes
    };

    p.captured_len = p.original_len = (uint32_t)packet(bytes, port, up, seq, ack, flags, len);
    put16(bytes + (up ? 22 : 20), port == UPLOAD ? 81 : 80);
    for (unsigned i = 0; i < times_written; i++)
        tcpwhy_session_push(s, &p);
}

/* A frame of the other connection with timestamps, in milliseconds. */
static void push_stamped(tcpwhy_session *s, int64_t us, bool up, uint32_t seq, uint32_t ack,
                         unsigned len, uint32_t tsval_ms, uint32_t tsecr_ms)
{
    uint8_t bytes[HEADERS + 12 + SEGMENT];
    struct tcpwhy_packet p = {
        .struct_size = sizeof p, .link_type = RAW_IP, .time_ns = TCPWHY_US(us), .bytes = bytes
    };
    size_t at = packet(bytes, UPLOAD, up, seq, ack, TW_ACK, len + 12) - 12 - len;

    put16(bytes + (up ? 22 : 20), 81);
    bytes[32] = 0x80;
    put32(bytes + at, 0x0101080a);
    put32(bytes + at + 4, tsval_ms);
    put32(bytes + at + 8, tsecr_ms);
    p.captured_len = p.original_len = (uint32_t)(HEADERS + 12 + len);
    tcpwhy_session_push(s, &p);
}

static void shake_hands(tcpwhy_session *s, unsigned port)
{
    push_us(s, port, port, true, 0, 0, TW_SYN, 0);
    push_us(s, RTT_US + port, port, false, 0, 1, TW_SYN | TW_ACK, 0);
    push_us(s, RTT_US + port, port, true, 1, 1, TW_ACK, 0);
}

/* A segment passes the link, and the next one is sent, as long as the upload lasts. */
static void upload(tcpwhy_session *s, int64_t us, unsigned n, unsigned of)
{
    if (n < of)
        push_us(s, us, UPLOAD, false, 1, 1 + (n + 1) * SEGMENT, TW_ACK, 0);
    if (n + SEGMENTS < of)
        push_us(s, us + 1, UPLOAD, true, 1 + (n + SEGMENTS) * SEGMENT, 1, TW_ACK, SEGMENT);
}

/* A request of 100 bytes in pieces of this size. */
static void question(tcpwhy_session *s, int64_t us, uint32_t number, unsigned piece)
{
    for (unsigned said = 0; said < 100; said += piece)
        push_us(s, us++, ASKER, true, number * 100 - 99 + said, number * 200 - 199, TW_PSH | TW_ACK,
                piece);
}

/* Requests with a think time of think_us, beside an upload of 'of' segments. */
static tcpwhy_report *ask_in_pieces(unsigned piece, unsigned of, int64_t think_us)
{
    tcpwhy_session *s = start(NULL);
    int64_t began_us = 2 * RTT_US;

    shake_hands(s, UPLOAD);
    shake_hands(s, ASKER);
    for (unsigned i = 0; i < SEGMENTS; i++)
        push_us(s, began_us + i, UPLOAD, true, 1 + i * SEGMENT, 1, TW_ACK, SEGMENT);
    for (unsigned n = 0; n < QUESTIONS * PERIOD_US / LINK_US; n++) {
        int64_t us = began_us + RTT_US + n * LINK_US, in_us = us % PERIOD_US;
        uint32_t asked = (uint32_t)(us / PERIOD_US);
        int64_t takes_us = (n < of ? FULL_US : RTT_US) + think_us;

        upload(s, us, n, of);
        if (asked > 0 && in_us == 0)
            question(s, us + 2, asked, piece);
        if (asked > 0 && in_us == takes_us)
            push_us(s, us + 3, ASKER, false, asked * 200 - 199, asked * 100 + 1, TW_PSH | TW_ACK,
                    200);
    }
    return finish(s);
}

static tcpwhy_report *ask_beside_upload(unsigned of, int64_t think_us)
{
    return ask_in_pieces(100, of, think_us);
}

/* Time charged to a cause on the requesting connection, with this confidence. */
static int64_t charged_ms(const tcpwhy_report *report, enum tcpwhy_cause cause,
                          enum tcpwhy_confidence confidence)
{
    size_t n;
    const struct tw_stream_row *asker = tw_report_streams(report, &n);
    tcpwhy_ns ns = 0;

    while (asker->client.port != ASKER)
        asker++;

    for (size_t i = 0; i < asker->n_ledger; i++)
        if (asker->ledger[i].cause == cause && asker->ledger[i].confidence == confidence)
            ns += asker->ledger[i].ns;
    return ns / TCPWHY_MS(1);
}

/* The same beside a download with a segment every every_us: each is acknowledged at once, and
 * echoes an ACK of 100 ms before. */
static tcpwhy_report *ask_beside_download(int64_t every_us)
{
    tcpwhy_session *s = start(NULL);
    uint32_t seq = 1;

    shake_hands(s, UPLOAD);
    shake_hands(s, ASKER);
    for (int64_t us = 2 * RTT_US; us < QUESTIONS * PERIOD_US; us += LINK_US) {
        uint32_t asked = (uint32_t)(us / PERIOD_US), ms = (uint32_t)(us / 1000);

        if (us % every_us == 0) {
            push_stamped(s, us, false, seq, 1, SEGMENT, ms + 5000, ms + 1000 - FULL_US / 1000);
            seq += SEGMENT;
            push_stamped(s, us + 1, true, 1, seq, 0, ms + 1000, ms + 5000);
        }
        if (asked > 0 && us % PERIOD_US == 0)
            question(s, us + 2, asked, 100);
        if (asked > 0 && us % PERIOD_US == FULL_US)
            push_us(s, us + 3, ASKER, false, asked * 200 - 199, asked * 100 + 1, TW_PSH | TW_ACK,
                    200);
    }
    return finish(s);
}

#define ASKED   (QUESTIONS - 1)
#define ENDLESS 100000

#define REPORT_TEST(name, make)                                                                    \
    TEST_FROM(name, tcpwhy_report *, report, make, tcpwhy_report_free(report))

REPORT_TEST(questions_stand_behind_an_upload_of_their_host, ask_beside_upload(ENDLESS, 0))
{
    assert_in_range(charged_ms(report, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_LIKELY), ASKED * 78,
                    ASKED * 80);
    assert_int_equal(charged_ms(report, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN), 0);
}

REPORT_TEST(questions_stand_behind_acks_of_a_download, ask_beside_download(LINK_US))
{
    assert_in_range(charged_ms(report, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_LIKELY), ASKED * 78,
                    ASKED * 80);
    assert_int_equal(charged_ms(report, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN), 0);
}

/* A sender that sends now and then echoes an old ACK: that shows no queue. */
REPORT_TEST(questions_beside_a_slow_sender_are_thought_about, ask_beside_download(8 * LINK_US))
{
    assert_int_equal(charged_ms(report, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_LIKELY), 0);
    assert_in_range(charged_ms(report, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN), ASKED * 78,
                    ASKED * 80);
}

TEST(frames_captured_twice_share_the_delay)
{
    times_written = 2;
    g_autoptr(tcpwhy_report) report = ask_beside_upload(ENDLESS, 0);
    times_written = 1;
    assert_in_range(charged_ms(report, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_LIKELY), ASKED * 78,
                    ASKED * 80);
    assert_int_equal(charged_ms(report, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN), 0);
}

REPORT_TEST(think_time_longer_than_the_queue_is_certain, ask_beside_upload(ENDLESS, 200000))
{
    assert_in_range(charged_ms(report, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN), ASKED * 200,
                    ASKED * 205);
}

REPORT_TEST(the_last_pieces_of_requests_share_the_delay, ask_in_pieces(50, ENDLESS, 200000))
{
    assert_in_range(charged_ms(report, TCPWHY_BANDWIDTH_LIMITED, TCPWHY_LIKELY), ASKED * 75,
                    ASKED * 80);
}

REPORT_TEST(an_upload_that_is_over_holds_nothing_up, ask_beside_upload(60, 80000))
{
    assert_in_range(charged_ms(report, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN), ASKED * 80,
                    ASKED * 80 + 1);
}

REPORT_TEST(the_finding_says_whose_data_stood_before, ask_beside_upload(ENDLESS, 0))
{
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    while (n > 0 && (f->cause != TCPWHY_BANDWIDTH_LIMITED || f->stream != 1)) {
        f++;
        n--;
    }
    assert_true(n > 0);
    assert_non_null(strstr(f->summary, "behind data of other connections from the same host"));
}

/* All of it is acknowledged by an answer; what comes much later without data tells nothing. */
TEST(acknowledged_data_is_no_longer_timed)
{
    tcpwhy_session *s = start(NULL);

    shake_hands(s, UPLOAD);
    shake_hands(s, ASKER);
    for (unsigned i = 0; i < SEGMENTS; i++)
        push_us(s, 100000 + i, UPLOAD, true, 1 + i * SEGMENT, 1, TW_ACK, SEGMENT);
    push_us(s, 120000, UPLOAD, false, 1, 1 + SEGMENT, TW_ACK, 0);
    push_us(s, 125000, UPLOAD, false, 1, 1 + SEGMENTS * SEGMENT, TW_PSH | TW_ACK, 10);
    push_us(s, 1100000, UPLOAD, false, 11, 1 + SEGMENTS * SEGMENT, TW_ACK, 0);
    push_us(s, 1101000, ASKER, true, 1, 1, TW_PSH | TW_ACK, 100);
    push_us(s, 1301000, ASKER, false, 1, 101, TW_PSH | TW_ACK, 200);
    g_autoptr(tcpwhy_report) report = finish(s);
    assert_int_equal(charged_ms(report, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN), 180);
}

/* A frame of an hour later stands before all others in the file, and hardly a queue is there. */
TEST(a_short_delay_before_the_first_frame_is_ignored)
{
    tcpwhy_session *s = start(NULL);

    push_us(s, INT64_C(3600000000), UPLOAD + 10, true, 0, 0, TW_SYN, 0);
    shake_hands(s, UPLOAD);
    shake_hands(s, ASKER);
    for (unsigned i = 0; i < SEGMENTS; i++)
        push_us(s, 100000 + i, UPLOAD, true, 1 + i * SEGMENT, 1, TW_ACK, SEGMENT);
    push_us(s, 120000, UPLOAD, false, 1, 1 + SEGMENT, TW_ACK, 0);
    push_us(s, 121000, UPLOAD, true, 1 + SEGMENTS * SEGMENT, 1, TW_ACK, SEGMENT);
    push_us(s, 122000, UPLOAD, false, 1, 1 + SEGMENTS * SEGMENT, TW_ACK, 0);
    push_us(s, 123000, ASKER, true, 1, 1, TW_PSH | TW_ACK, 100);
    push_us(s, 173000, ASKER, false, 1, 101, TW_PSH | TW_ACK, 200);
    g_autoptr(tcpwhy_report) report = finish(s);
    assert_int_equal(charged_ms(report, TCPWHY_SERVER_THINK, TCPWHY_CERTAIN), 30);
}
