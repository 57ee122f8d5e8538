/* SPDX-License-Identifier: MIT */
/*
 * Labels as tshark's of headers that are cut or wrong; of all others: scripts/wireshark.script.
 * Every expectation here was read off tshark 4.0.17.
 */
#include "tests/unit.h"

#include "track/wireshark.h"

#define CLIENT 0
#define SERVER 1

#define CLIENT_ISN 1000u
#define SERVER_ISN 5000u

struct talk {
    struct tw_ws *ws;
    uint32_t frame;
    struct tcpwhy_wireshark got;
};

#define TALK_TEST(name)                                                                            \
    TEST_WITH(name, struct talk, t, *t = (struct talk) { .ws = tw_ws_new() }, tw_ws_free(t->ws))

/* A frame a millisecond after the last one; numbers are raw. */
static void push(struct talk *t, int from, struct tw_segment segment)
{
    t->frame++;
    segment.window = 1000;
    if (segment.header_len == 0)
        segment.header_len = 20;
    tw_ws_push(t->ws, &segment, from, false, TCPWHY_MS(1) * t->frame, t->frame, &t->got);
}

static void send(struct talk *t, int from, uint16_t flags, uint32_t seq, uint32_t ack, uint32_t len)
{
    push(t, from, (struct tw_segment) { .flags = flags, .seq = seq, .ack = ack, .len = len });
}

/* Frames 1 to 3. */
static void shake_hands(struct talk *t)
{
    send(t, CLIENT, TW_SYN, CLIENT_ISN, 0, 0);
    send(t, SERVER, TW_SYN | TW_ACK, SERVER_ISN, CLIENT_ISN + 1, 0);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 0);
}

/* A frame with such a header comes after a hole: no analysis is reported for it, but it counts. */
static void assert_untold(struct talk *t, uint8_t header_len, uint8_t facts,
                          enum tcpwhy_ws_header header)
{
    shake_hands(t);
    push(t, CLIENT,
         (struct tw_segment) { .flags = TW_ACK,
                               .seq = CLIENT_ISN + 101,
                               .ack = SERVER_ISN + 1,
                               .len = 10,
                               .header_len = header_len,
                               .facts = facts });
    assert_int_equal(t->got.header, header);
    assert_int_equal(t->got.flags, 0);
    assert_int_equal(t->got.bytes_in_flight, -1);
    assert_int_equal(t->got.seq, 101);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 111, SERVER_ISN + 1, 0);
    assert_int_equal(t->got.flags, TCPWHY_WS_DUPLICATE_ACK); /* so it moved what comes next */
}

TALK_TEST(a_header_under_20_bytes_is_counted_without_fields)
{
    assert_untold(t, 8, 0, TCPWHY_WS_HEADER_SHORT);
}

TALK_TEST(a_header_cut_by_the_snap_length_shows_its_fields_only)
{
    assert_untold(t, 32, TW_SEG_HEADER_CUT, TCPWHY_WS_HEADER_WHOLE);
}

TALK_TEST(a_header_longer_than_its_segment_leaves_no_trace_in_the_numbers)
{
    shake_hands(t);
    push(t, CLIENT,
         (struct tw_segment) { .flags = TW_ACK,
                               .seq = CLIENT_ISN + 101,
                               .ack = SERVER_ISN + 1,
                               .header_len = 60,
                               .facts = TW_SEG_NO_LENGTH });
    assert_int_equal(t->got.header, TCPWHY_WS_HEADER_LONG);
    assert_int_equal(t->got.seq, CLIENT_ISN + 101);
    assert_int_equal(t->got.ack, SERVER_ISN + 1);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 5);
    assert_int_equal(t->got.flags, 0);
    assert_int_equal(t->got.bytes_in_flight, 5);
}

TALK_TEST(a_cut_syn_does_not_turn_scaling_off)
{
    struct tw_segment syn = {
        .flags = TW_SYN, .seq = CLIENT_ISN, .options = TW_OPT_WSCALE, .wscale = 7
    };
    struct tw_segment cut = { .flags = TW_SYN | TW_ACK,
                              .seq = SERVER_ISN,
                              .ack = CLIENT_ISN + 1,
                              .header_len = 40,
                              .facts = TW_SEG_HEADER_CUT };

    push(t, CLIENT, syn);
    push(t, SERVER, cut);
    send(t, CLIENT, TW_ACK, CLIENT_ISN + 1, SERVER_ISN + 1, 0);
    assert_int_equal(t->got.window_bytes, 128000);
}
