/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <stdio.h>
#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "app/follow.h"

/* Output of a follow: "c:abc s:def ", the text of a hole with its NUL as '0'. */
struct out {
    char text[4096];
    size_t len;
    size_t limit; /* stop after so many calls; 0: never */
    size_t calls;
};

static bool take(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                 const uint8_t *bytes, size_t len)
{
    struct out *o = user;

    (void)stream;
    (void)frame;
    if (len > 0 && o->len + len + 4 < sizeof o->text) {
        o->len += (size_t)snprintf(o->text + o->len, sizeof o->text - o->len,
                                   "%c:", from == TCPWHY_CLIENT ? 'c' : 's');
        for (size_t i = 0; i < len; i++)
            o->text[o->len++] = bytes[i] ? (char)bytes[i] : '0';
        o->text[o->len++] = ' ';
        o->text[o->len] = '\0';
    }
    return ++o->calls != o->limit;
}

struct talk {
    struct tw_connection connection;
    struct tw_follow *follow;
    struct out out;
    uint32_t frame;
};

static void open_talk(struct talk *t)
{
    memset(t, 0, sizeof *t);
    t->follow = tw_follow_new(take, &t->out);
}

static bool cut_frame(struct talk *t, enum tcpwhy_side from, uint16_t flags, uint32_t seq,
                      uint32_t ack, const char *text, uint32_t len)
{
    struct tw_segment s = {
        .header_len = 20,
        .flags = flags,
        .seq = seq,
        .ack = ack,
        .len = len,
        .payload = tw_bytes((const uint8_t *)text, strlen(text)),
    };
    struct tw_tracked tracked = {
        .connection = &t->connection, .segment = &s, .from = from, .frame = ++t->frame
    };

    return tw_follow_push(t->follow, &tracked);
}

static void frame(struct talk *t, enum tcpwhy_side from, uint16_t flags, uint32_t seq, uint32_t ack,
                  const char *text)
{
    assert_true(cut_frame(t, from, flags, seq, ack, text, (uint32_t)strlen(text)));
}

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

static void handshake(struct talk *t)
{
    open_talk(t);
    frame(t, C, TW_SYN, 100, 0, "");
    frame(t, S, TW_SYN | TW_ACK, 500, 101, "");
    frame(t, C, TW_ACK, 101, 501, "");
}

static void close_talk(struct talk *t, const char *expected)
{
    assert_string_equal(t->out.text, expected);
    tw_follow_free(t->follow);
}

#define TALK_TEST(name, make) TEST_WITH(name, struct talk, t, make, (void)t)

TALK_TEST(bytes_come_in_order, handshake(t))
{
    frame(t, C, TW_ACK, 101, 501, "abc");
    frame(t, S, TW_ACK, 504, 104, "two");
    frame(t, S, TW_ACK, 501, 104, "one");
    close_talk(t, "c:abc s:one s:two ");
}

TALK_TEST(a_repeat_gives_only_what_is_new, handshake(t))
{
    frame(t, C, TW_ACK, 101, 501, "abc");
    frame(t, C, TW_ACK, 101, 501, "abc");
    frame(t, C, TW_ACK, 101, 501, "abcdef");
    close_talk(t, "c:abc c:def ");
}

TALK_TEST(a_hole_that_is_acknowledged_becomes_text, handshake(t))
{
    frame(t, C, TW_ACK, 111, 501, "later");
    frame(t, S, TW_ACK, 501, 111, "");
    assert_string_equal(t->out.text, "");
    frame(t, S, TW_ACK, 501, 112, "");
    close_talk(t, "c:[10 bytes missing in capture file]0 c:later ");
}

TALK_TEST(without_the_flag_an_ack_is_taken_as_it_stands, handshake(t))
{
    frame(t, C, TW_ACK, 111, 501, "later");
    frame(t, S, TW_RST, 501, 0, "");
    assert_string_equal(t->out.text, "");
    frame(t, S, TW_RST, 501, 12, "");
    close_talk(t, "c:[10 bytes missing in capture file]0 c:later ");
}

TALK_TEST(data_behind_a_hole_at_the_end_is_not_shown, handshake(t))
{
    frame(t, C, TW_ACK, 111, 501, "later");
    close_talk(t, "");
}

TALK_TEST(data_in_the_syn_comes_first, open_talk(t))
{
    frame(t, C, TW_SYN, 100, 0, "fast");
    frame(t, S, TW_SYN | TW_ACK, 500, 105, "");
    frame(t, C, TW_ACK, 105, 501, "open");
    close_talk(t, "c:fast c:open ");
}

TALK_TEST(a_cut_payload_moves_the_stream_by_its_length, handshake(t))
{
    cut_frame(t, C, TW_ACK, 101, 501, "ab", 10);
    frame(t, C, TW_ACK, 111, 501, "next");
    close_talk(t, "c:ab c:next ");
}

TEST(a_frame_with_an_impossible_header_does_not_count)
{
    struct talk t;
    struct tw_segment s = { .flags = TW_SYN, .seq = 100, .header_len = 16 };
    struct tw_tracked tracked = { .connection = &t.connection, .segment = &s, .from = C };

    open_talk(&t);
    tw_follow_push(t.follow, &tracked);
    assert_int_equal(t.out.calls, 0);
    close_talk(&t, "");
}

TEST(a_frame_with_cut_options_does_not_count)
{
    struct talk t;
    struct tw_segment s = {
        .flags = TW_SYN, .seq = 100, .header_len = 32, .facts = TW_SEG_HEADER_CUT
    };
    struct tw_tracked tracked = { .connection = &t.connection, .segment = &s, .from = C };

    open_talk(&t);
    tw_follow_push(t.follow, &tracked);
    assert_int_equal(t.out.calls, 0);
    close_talk(&t, "");
}

TALK_TEST(the_sequence_space_may_wrap, open_talk(t))
{
    frame(t, C, TW_ACK, 0xfffffffe, 501, "abcd");
    frame(t, C, TW_ACK, 2, 501, "ef");
    close_talk(t, "c:abcd c:ef ");
}

TALK_TEST(the_sink_may_stop, open_talk(t))
{
    t->out.limit = 1;
    assert_false(cut_frame(t, C, TW_SYN, 100, 0, "", 0));
    close_talk(t, "");
}

TALK_TEST(waiting_bytes_are_bounded, handshake(t))
{
    for (uint32_t i = 0; i < 20000; i++)
        frame(t, C, TW_ACK, 1000 + 2 * i, 501, "x");
    close_talk(t, "");
}

static bool keep(void *user, const char *bytes, size_t len)
{
    strncat(user, bytes, len);
    return true;
}

TEST(raw_is_laid_out_as_tshark_does)
{
    char text[1024] = "";
    const struct tcpwhy_endpoint client = { { 10, 9, 0, 1 }, 1024, 4 };
    const struct tcpwhy_endpoint server = { { 0x20, 1 }, 80, 6 };
    struct tcpwhy_follow_options options = TCPWHY_FOLLOW_INIT;
    tcpwhy_follow *view;

    options.stream = 7;
    assert_int_equal(tcpwhy_follow_new(&options, keep, text, &view), 0);
    tcpwhy_follow_ends(view, &client, &server);
    tcpwhy_follow_bytes(view, S, 1, NULL, 0);
    tcpwhy_follow_bytes(view, S, 1, (const uint8_t *)"hi", 2);
    tcpwhy_follow_bytes(view, C, 2, (const uint8_t *)"\n", 1);
    tcpwhy_follow_end(view);
    tcpwhy_follow_free(view);
    assert_string_equal(text,
                        "\n===================================================================\n"
                        "Follow: tcp,raw\nFilter: tcp.stream eq 7\n"
                        "Node 0: [2001::]:80\nNode 1: 10.9.0.1:1024\n6869\n\t0a\n"
                        "===================================================================\n");
}

static bool refuse(void *user, const char *bytes, size_t len)
{
    (void)user;
    (void)bytes;
    (void)len;
    return false;
}

TEST(a_format_that_is_none_is_refused_and_a_full_disk_is_told)
{
    struct tcpwhy_follow_options options = TCPWHY_FOLLOW_INIT;
    tcpwhy_follow *view;

    options.format = (enum tcpwhy_follow_format)(TCPWHY_FOLLOW_JSON + 1);
    assert_int_equal(tcpwhy_follow_new(&options, refuse, NULL, &view), TCPWHY_ERR_ARGUMENT);
    assert_int_equal(tcpwhy_follow_new(NULL, refuse, NULL, &view), 0);
    assert_int_equal(tcpwhy_follow_bytes(view, S, 1, NULL, 0), TCPWHY_ERR_STOPPED);
    tcpwhy_follow_free(view);
    tcpwhy_follow_free(NULL);
}
