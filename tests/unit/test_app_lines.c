/* SPDX-License-Identifier: MIT */
/* Protocols of lines: SMTP, IMAP, POP3 and FTP; SSH and WebSocket, which begin with some. */
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

WIRE_TEST(mail_is_a_request_of_its_own, wire_open(w))
{
    wire_text(w, S, "220 mx.example ESMTP\r\n");
    wire_text(w, C, "EHLO me.example\r\n");
    wire_text(w, S, "250-mx.example\r\n250-SIZE 1000\r\n");
    wire_text(w, S, "250 PIPELINING\r\n");
    wire_text(w, C, "MAIL FROM:<jo@example>\r\nRCPT TO:<x@example>\r\nDATA\r\n");
    wire_text(w, S, "250 ok\r\n550 no\r\n354 go\r\n");
    wire_text(w, C, "Subject: QUIT\r\n\r\nQUIT\r\n");
    wire_text(w, C, "..\r\n.\r\n");
    wire_text(w, S, "250 queued\r\n");
    wire_text(w, S, "421 idle\r\n");
    const struct tw_exchange *e = wire_expect(w, 6);
    wire_asked(&e[1], "smtp", "EHLO");
    assert_int_equal(wire_frame_of(w, e[1].response_last), 7);
    assert_string_equal(e[2].request, "MAIL");
    assert_int_equal(e[3].status, 550);
    assert_string_equal(e[4].request, "DATA");
    assert_string_equal(e[5].request, "(message)");
    assert_int_equal(wire_frame_of(w, e[5].request_last), 11);
    assert_int_equal(wire_frame_of(w, e[5].response_last), 12);
}

WIRE_TEST(replies_that_the_snap_length_cuts_end_where_they_ended, wire_open(w))
{
    wire_text_cut(w, S, "220 mx.example ESMTP\r\n", 9);
    wire_text(w, C, "EHLO me.example\r\n");
    wire_text_cut(w, S, "250-mx.example\r\n250-SIZE 1000\r\n250 PIPELINING\r\n", 20);
    wire_text_cut(w, C, "MAIL FROM:<jo@example>\r\n", 9);
    wire_text_cut(w, S, "250 sender is ok\r\n", 9);
    wire_text(w, C, "QUIT\r\n");
    wire_text_cut(w, S, "221 bye\r\n", 5);
    const struct tw_exchange *e = wire_expect(w, 4);
    wire_asked(&e[1], "smtp", "EHLO");
    wire_asked(&e[2], "smtp", "MAIL");
    for (int i = 0; i < 4; i++) {
        assert_true(e[i].complete);
        assert_int_equal(wire_frame_of(w, e[i].response_last),
                         wire_frame_of(w, e[0].response_last) + 2 * i);
    }
}

WIRE_TEST(a_literal_that_the_snap_length_cuts_ends_with_its_answer, wire_open(w))
{
    wire_text(w, S, "* OK ready\r\n");
    wire_text(w, C, "a1 APPEND x {9+}\r\n");
    wire_text_cut(w, C, "From: me\n\r\n", 4);
    wire_text(w, S, "a1 OK done\r\n");
    wire_text(w, C, "a2 LOGOUT\r\n");
    const struct tw_exchange *e = wire_expect(w, 3);
    assert_true(e[1].complete);
    assert_int_equal(wire_frame_of(w, e[1].request_last), 6);
    assert_int_equal(wire_frame_of(w, e[1].response_last), 7);
}

WIRE_TEST(a_list_that_the_snap_length_cuts_ends_with_the_next_command_or_answer, wire_open(w))
{
    wire_text(w, S, "+OK hi\r\n");
    wire_text(w, C, "CAPA\r\n");
    wire_text_cut(w, S, "+OK list\r\nUIDL\r\n.\r\n", 12);
    wire_text(w, C, "NOOP\r\n");
    wire_text(w, S, "+OK\r\n");
    wire_text(w, C, "LIST\r\nQUIT\r\n");
    wire_text_cut(w, S, "+OK list\r\n1 2\r\n.\r\n", 12);
    wire_text(w, S, "+OK bye\r\n");
    const struct tw_exchange *e = wire_expect(w, 5);
    for (int i = 0; i < 5; i++)
        assert_true(e[i].complete);
    assert_int_equal(wire_frame_of(w, e[1].response_last), 6);
    assert_int_equal(wire_frame_of(w, e[4].response_first), 11);
}

WIRE_TEST(bdat_counts_its_bytes, wire_open_midstream(w))
{
    wire_text(w, C, "EHLO me\r\n");
    wire_text(w, S, "250 hi\r\n");
    wire_text(w, C, "BDAT 12 LAST\r\nQUIT\r\nQUIT\r\nRSET\r\n");
    wire_text(w, S, "250 ok\r\n250 ok\r\n");
    const struct tw_exchange *e = wire_expect(w, 3);
    assert_string_equal(e[1].request, "BDAT");
    assert_int_equal(e[1].request_to - e[1].request_from, 26);
    assert_string_equal(e[2].request, "RSET");
}

WIRE_TEST(imap_answers_end_with_the_tag, wire_open(w))
{
    wire_text(w, S, "* OK ready\r\n");
    wire_text(w, C, "a1 LOGIN jo secret\r\n");
    wire_text(w, S, "a1 NO wrong\r\n");
    wire_text(w, C, "a2 UID FETCH 1 BODY[]\r\n");
    wire_text(w, S, "* 1 FETCH (BODY[] {14}\r\n");
    wire_text(w, S, "a2 OK no end\r\n)\r\na2 OK done\r\n");
    wire_text(w, C, "a3 APPEND x {4}\r\n");
    wire_text(w, S, "+ go\r\n");
    wire_text(w, C, "a4 N\r\n");
    wire_text(w, S, "* 2 EXISTS\r\na3 OK\r\n");
    const struct tw_exchange *e = wire_expect(w, 4);
    wire_asked(&e[1], "imap", "LOGIN");
    assert_string_equal(w->exchanges.more[e[1].more - 1].detail, "NO");
    assert_string_equal(e[2].request, "UID FETCH");
    assert_int_equal(wire_frame_of(w, e[2].response_last), 9);
    assert_true(e[2].complete);
    assert_string_equal(e[3].request, "APPEND");
    assert_true(e[3].expects);
    assert_int_equal(wire_frame_of(w, e[3].request_last), 12);
    assert_int_equal(wire_frame_of(w, e[3].response_first), 13);
}

WIRE_TEST(after_the_answer_to_idle_news_come_at_will_and_done_is_another_request, wire_open(w))
{
    wire_text(w, S, "* OK ready\r\n");
    wire_text(w, C, "a1 IDLE\r\n");
    wire_text(w, S, "+ idling\r\n");
    wire_text(w, S, "* 2 EXISTS\r\n");
    wire_text(w, C, "DONE\r\n");
    wire_text(w, S, "a1 OK\r\n");
    const struct tw_exchange *e = wire_expect(w, 3);
    assert_true(e[1].at_will && !e[1].stands && e[1].complete);
    assert_string_equal(e[2].request, "DONE");
    assert_false(e[2].at_will);
    assert_int_equal(wire_frame_of(w, e[2].response_last), 9);
}

WIRE_TEST(a_lost_response_shifts_no_later_one, wire_open(w))
{
    wire_text(w, S, "* OK ready\r\n");
    wire_text(w, C, "a1 NOOP\r\n");
    wire_piece(w, S, w->next[S], w->next[C], "a1 OK done\r\n", 12, 0);
    wire_text(w, C, "a2 CHECK\r\n");
    wire_text(w, S, "* x\r\na2 OK done\r\n");
    wire_text(w, C, "a3 CLOSE\r\n");
    wire_text(w, S, "a9 OK done\r\n");
    wire_text(w, S, "a3 OK done\r\n");
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_false(e[1].complete);
    assert_int_equal(wire_frame_of(w, e[2].response_last), 8);
    assert_int_equal(wire_frame_of(w, e[3].response_first), 11);
}

WIRE_TEST(credentials_are_not_told, wire_open(w))
{
    wire_text(w, S, "220-a long line before the server's name\r\n220 x\r\n");
    wire_text(w, C, "AUTH LOGIN\r\n");
    wire_text(w, S, "334 VXNlcm5hbWU6\r\n");
    wire_text(w, C, "c2VjcmV0\r\n");
    wire_text(w, S, "334 UGFzc3dvcmQ6\r\n");
    wire_text(w, C, "c2VjcmV0\r\n");
    wire_text(w, S, "235 ok\r\n");
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_string_equal(e[1].request, "AUTH");
    assert_string_equal(e[2].request, "(login)");
    assert_string_equal(e[3].request, "(login)");
    assert_string_equal(e[3].protocol, "smtp");
}

WIRE_TEST(replies_of_ftp_are_no_commands_of_imap, wire_open_midstream(w))
{
    wire_text(w, S, "200 NOOP command successful.\r\n");
    wire_text(w, C, "TYPE A\r\n");
    assert_string_equal(wire_exchanges(w)[0].protocol, "turn");
}

WIRE_TEST(pop3_lists_end_with_a_dot, wire_open(w))
{
    wire_text(w, S, "+OK POP3 ready\r\n");
    wire_text(w, C, "USER jo\r\n");
    wire_text(w, S, "+OK\r\n");
    wire_text(w, C, "RETR 7\r\n");
    wire_text(w, S, "+OK 99 octets\r\n-ERR is text\r\n");
    wire_text(w, S, ".\r\n");
    wire_text(w, C, "DELE 9\r\n");
    wire_text(w, S, "-ERR none\r\n");
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_string_equal(e[1].request, "USER ?");
    wire_asked(&e[2], "pop3", "RETR ?");
    assert_int_equal(wire_frame_of(w, e[2].response_last), 9);
    assert_string_equal(w->exchanges.more[e[3].more - 1].detail, "-ERR");
}

WIRE_TEST(ftp_transfers_stand_until_their_last_reply, wire_open(w))
{
    wire_text(w, S, "220-hello\r\n220 FTP\r\n");
    wire_text(w, C, "PASS secret\r\n");
    wire_text(w, S, "230 in\r\n");
    wire_text(w, C, "RETR a/b.txt\r\n");
    wire_text(w, S, "150 opening\r\n");
    wire_text(w, S, "226 done\r\n");
    wire_text(w, C, "PASV\r\n");
    wire_text(w, S, "227 Entering Passive Mode (10,0,0,2,195,80).\r\n");
    wire_text(w, C, "LIST\r\n");
    wire_text(w, S, "150 opening\r\n226 done\r\n");
    wire_text(w, C, "EPSV\r\n");
    wire_text(w, S, "229 Entering Extended Passive Mode (|||50001|)\r\n");
    wire_text(w, C, "STOR x\r\n");
    wire_text(w, S, "550 no\r\n");
    const struct tw_exchange *e = wire_expect(w, 7);
    assert_int_equal(e[2].more, 0);
    assert_string_equal(w->exchanges.more[e[4].more - 1].detail, "data on port 50000");
    assert_string_equal(w->exchanges.more[e[6].more - 1].detail, "data on port 50001");
    assert_string_equal(e[1].request, "PASS");
    wire_asked(&e[2], "ftp", "RETR a/b.txt");
    assert_true(e[2].at_will && !e[2].stands);
    assert_int_equal(e[2].status, 226);
    assert_int_equal(wire_frame_of(w, e[2].response_last), 9);
}

WIRE_TEST(a_greeting_of_ftp_may_be_of_mail, wire_open(w))
{
    wire_text(w, S, "220 mx.example\r\n");
    wire_text(w, C, "HELO me\r\n");
    wire_text(w, S, "250 hi\r\n");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[0].protocol, "smtp");
    assert_string_equal(e[1].request, "HELO");
    assert_true(e[1].complete);
}

WIRE_TEST(neither_ftp_nor_mail_is_turns, wire_open(w))
{
    wire_text(w, S, "220 ready\r\n");
    wire_text(w, C, "frobnicate\r\n");
    wire_text(w, S, "fine\r\n");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[1].protocol, "turn");
    assert_false(e[1].framed);
}

WIRE_TEST(the_key_exchange_of_ssh_is_nobodys_request, wire_open(w))
{
    static const uint8_t init[] = { 0, 0, 0, 4, 1, 20, 0, 0 }, keys[] = { 0, 0, 0, 4, 1, 21, 0, 0 };

    wire_text(w, C, "SSH-2.0-a\r\n");
    wire_text(w, S, "SSH-2.0-b\r\n");
    wire_bytes(w, C, init, sizeof init);
    wire_bytes(w, S, init, sizeof init);
    wire_bytes(w, C, keys, sizeof keys);
    wire_bytes(w, S, keys, sizeof keys);
    wire_text(w, C, "0123456789012345678901234567890123456789");
    wire_text(w, S, "0123456789012345678901234567890123456789");
    const struct tw_exchange *e = wire_expect(w, 4);
    assert_string_equal(e[0].request, "key exchange");
    assert_true(e[0].of_session && e[1].of_session && e[2].of_session);
    assert_string_equal(e[3].protocol, "ssh");
    assert_false(e[3].of_session);
}

WIRE_TEST(messages_of_a_websocket_are_counted_for_its_request, wire_open(w))
{
    static const char masked[] = "\x81\x85mask"
                                 "hello",
                      long_one[] = "\x82\x7e\x00\x80";
    char body[128] = { 0 };
    const struct tw_exchange_more *more;

    wire_text(w, C, "GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x02hi");
    wire_bytes(w, C, masked, sizeof masked - 1);
    wire_bytes(w, C, masked, sizeof masked - 1);
    wire_bytes(w, S, long_one, sizeof long_one - 1);
    wire_bytes(w, S, body, sizeof body);
    wire_bytes(w, S,
               "\x01\x01"
               "a\x89\x00\x80\x01z",
               8);
    const struct tw_exchange *e = wire_exchanges(w);
    assert_string_equal(e[0].request, "GET /chat");
    assert_true(e[0].complete);
    more = &w->exchanges.more[e[0].more - 1];
    assert_int_equal(more->messages[0], 2);
    assert_int_equal(more->messages[1], 3);
    assert_string_equal(e[1].protocol, "websocket");
    assert_true(e[1].at_will);
}

/* One of a PING that shares its segment with a message is part of its turn. */
WIRE_TEST(ping_and_pong_of_a_websocket_are_no_requests, wire_open(w))
{
    wire_text(w, C, "GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n");
    wire_text(w, C, "\x89\x80mask");
    wire_text(w, S, "\x8a\x01p");
    wire_text(w, S, "\x89\x01p"); /* frame 8 */
    wire_text(w, C, "\x8a\x80mask");
    wire_text(w, C, "\xc1\x81maskx"); /* frame 10, compressed */
    wire_text(w, S, "\x89\x01p\x81\x01y");
    wire_text(w, C, "\x88\x80mask");
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(wire_frame_of(w, e[1].request_first), 10);
    assert_int_equal(wire_frame_of(w, e[1].request_last), 10);
    assert_int_equal(wire_frame_of(w, e[1].response_first), 11);
    assert_int_equal(w->exchanges.more[e[0].more - 1].messages[0], 1);
    assert_true(w->exchanges.facts->websocket_closed);
}
