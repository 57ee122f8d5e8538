/* SPDX-License-Identifier: MIT */
/* SMB 2, LDAP and RPC: requests and responses by the number that both bear. */
#include "base/array.h"
#include "tests/unit.h"

#include <glib.h>

#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

/* ---- SMB 2 ----------------------------------------------------------------------------------- */

static uint8_t smb[4096];

static void put16(uint8_t *to, uint32_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *to, uint32_t value)
{
    put16(to, value);
    put16(to + 2, value >> 16);
}

/* A message of 100 bytes at an offset. */
static uint8_t *smb_message(size_t at, bool response, uint16_t command, uint32_t id)
{
    uint8_t *m = smb + at;

    memset(m, 0, 104);
    memcpy(m, "\xfeSMB\x40", 5);
    put16(m + 12, command);
    put32(m + 16, response);
    put32(m + 24, id);
    return m;
}

/* The header of NetBIOS for what has been put behind it. */
static void smb_send(struct wire *w, enum tcpwhy_side from, size_t len)
{
    smb[0] = smb[1] = 0;
    smb[2] = (uint8_t)(len >> 8);
    smb[3] = (uint8_t)len;
    wire_bytes(w, from, smb, len + 4);
}

static void smb_say(struct wire *w, enum tcpwhy_side from, uint16_t command, uint32_t id)
{
    smb_message(4, from == S, command, id);
    smb_send(w, from, 100);
}

WIRE_TEST(smb_responses_are_paired_by_message_id, wire_open(w))
{
    smb_say(w, C, 8, 5);
    smb_say(w, C, 9, 6);
    smb_say(w, S, 9, 6);
    smb_say(w, S, 8, 5);
    const struct tw_exchange *e = wire_expect(w, 2);
    wire_asked(&e[0], "smb2", "READ");
    assert_int_equal(wire_frame_of(w, e[0].response_first), 7);
    assert_string_equal(e[1].request, "WRITE");
    assert_int_equal(wire_frame_of(w, e[1].response_first), 6);
    assert_true(e[0].complete && e[1].complete);
}

WIRE_TEST(each_request_of_a_compound_is_an_exchange, wire_open(w))
{
    uint8_t *create = smb_message(4, false, 5, 1);
    put32(create + 20, 104);
    put16(create + 64 + 44, 0);
    smb_message(108, false, 6, 2);
    smb_send(w, C, 204);
    create = smb_message(4, true, 5, 1);
    put32(create + 20, 104);
    put32(create + 8, 0xc0000034);
    smb_message(108, true, 6, 2);
    smb_send(w, S, 204);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[0].request, "CREATE");
    assert_int_equal(e[0].request_to, e[1].request_from);
    assert_string_equal(w->exchanges.more[e[0].more - 1].detail, "STATUS_OBJECT_NAME_NOT_FOUND");
    assert_string_equal(e[1].request, "CLOSE");
    assert_int_equal(e[1].more, 0);
    assert_int_equal(e[1].response_to - e[1].response_from, 100);
}

WIRE_TEST(a_pending_response_is_not_the_response, wire_open(w))
{
    smb_say(w, C, 15, 9);
    put32(smb_message(4, true, 15, 9) + 8, 0x103);
    smb_send(w, S, 100);
    smb_say(w, S, 15, 9);
    const struct tw_exchange *e = wire_expect(w, 1);
    assert_true(e[0].stands);
    assert_int_equal(wire_frame_of(w, e[0].response_first), 6);
}

/* A lease break has the highest message id. */
WIRE_TEST(an_unasked_message_is_of_no_exchange, wire_open(w))
{
    smb_say(w, C, 8, 5);
    smb_say(w, S, 8, 5);
    memset(smb_message(4, true, 18, 0) + 24, 0xff, 8);
    smb_send(w, S, 100);
    smb_say(w, C, 8, 6);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[0].response_to, 105);
    assert_false(e[1].complete);
}

WIRE_TEST(a_body_may_be_missing, wire_open(w))
{
    smb_say(w, C, 8, 5);
    smb_message(4, true, 8, 5);
    smb[2] = 2000 >> 8;
    smb[3] = 2000 & 0xff;
    wire_piece(w, S, w->next[S], w->next[C], smb, 1004, 96);
    wire_piece(w, S, w->next[S], w->next[C], smb, 1000, 40);
    smb_say(w, C, 8, 6);
    smb_say(w, S, 8, 6);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_int_equal(e[0].response_to - e[0].response_from, 2004);
    assert_true(e[1].complete);
}

static void smb_with_credits(struct wire *w, enum tcpwhy_side from, uint16_t command, uint32_t id,
                             uint16_t credits)
{
    put16(smb_message(4, from == S, command, id) + 14, credits);
    smb_send(w, from, 100);
}

/* Two credits: the third READ waits for the first response. */
WIRE_TEST(a_client_without_credits_waits_for_more, wire_open(w))
{
    smb_with_credits(w, C, 0, 0, 1);
    smb_with_credits(w, S, 0, 0, 2);
    smb_with_credits(w, C, 8, 1, 1);
    smb_with_credits(w, C, 8, 2, 1);
    smb_with_credits(w, S, 8, 1, 2);
    smb_with_credits(w, C, 8, 3, 1);
    smb_with_credits(w, S, 8, 2, 8);
    smb_with_credits(w, C, 8, 4, 1);
    wire_exchanges(w);
    assert_int_equal(w->exchanges.facts->credits.n, 1);
    assert_int_equal(w->exchanges.facts->credits.frame, 9);
    assert_true(w->exchanges.facts->credits.ns > 0);
    for (uint32_t i = 0; i < w->exchanges.n; i++) {
        const uint32_t more = w->exchanges.exchange[i].more;

        assert_int_equal(more > 0 && w->exchanges.more[more - 1].blocked_ns > 0, i == 3);
    }
}

/* Without the negotiation nobody knows how many there are. */
WIRE_TEST(credits_count_from_the_negotiation_on, wire_open(w))
{
    smb_with_credits(w, C, 8, 1, 1);
    smb_with_credits(w, S, 8, 1, 1);
    smb_with_credits(w, C, 8, 2, 1);
    wire_exchanges(w);
    assert_int_equal(w->exchanges.facts->credits.n, 0);
}

/* ---- LDAP ------------------------------------------------------------------------------------ */

static void ldap_say(struct wire *w, enum tcpwhy_side from, uint8_t id, uint8_t tag,
                     const char *content, size_t len)
{
    uint8_t m[200] = { 0x30, (uint8_t)(5 + len), 2, 1, id, tag, (uint8_t)len };

    memcpy(m + 7, content, len);
    wire_bytes(w, from, m, 7 + len);
}

static const char search[] = "\x04\x17uid=jo,dc=example,dc=or"
                             "\x0a\x01\x02\x0a\x01\0\x02\x01\0\x02\x01\0\x01\x01\0"
                             "\xa0\x16\xa3\x09\x04\x03uid\x04\x02jo\x87\x09telephone";

WIRE_TEST(a_search_lasts_until_it_is_done_and_shows_no_values, wire_open(w))
{
    ldap_say(w, C, 2, 0x63, search, sizeof search - 1);
    ldap_say(w, C, 3, 0x4a, "ou=x", 4);
    ldap_say(w, S, 2, 0x64, "", 0);
    ldap_say(w, S, 3, 0x6b, "\x0a\x01\x20", 3);
    ldap_say(w, S, 2, 0x65, "\x0a\x01\x00", 3);
    const struct tw_exchange *e = wire_expect(w, 2);
    wire_asked(&e[0], "ldap", "search uid=?,dc=example,dc=or (&(uid=?)(telephone=*))");
    assert_int_equal(wire_frame_of(w, e[0].response_first), 6);
    assert_int_equal(wire_frame_of(w, e[0].response_last), 8);
    assert_string_equal(e[1].request, "delete ou=x");
    assert_string_equal(w->exchanges.more[e[1].more - 1].detail, "noSuchObject");
}

static const char substrings[] = "\x04\x05uid=x\x0a\x01\x02\x0a\x01\0\x02\x01\0\x02\x01\0\x01\x01\0"
                                 "\xa1\x19\xa4\x0c\x04\x02"
                                 "cn\x30\x06\x80\x01j\x81\x01o"
                                 "\xa5\x09\x04\x03uid\x04\x02"
                                 "17";

WIRE_TEST(values_of_filters_are_shown_where_they_are_asked_for, wire_open(w))
{
    w->app.values = true;
    ldap_say(w, C, 2, 0x63, search, sizeof search - 1);
    ldap_say(w, C, 3, 0x63, substrings, sizeof substrings - 1);
    ldap_say(w, C, 4, 0x60,
             "\x02\x01\x03\x04\x04"
             "cn=a\x80\x06secret",
             17);
    const struct tw_exchange *e = wire_exchanges(w);
    assert_string_equal(e[0].request, "search uid=jo,dc=example,dc=or (&(uid=jo)(telephone=*))");
    assert_string_equal(e[1].request, "search uid=x (|(cn=j*o*)(uid>=17))");
    assert_string_equal(e[2].request, "bind");
}

WIRE_TEST(after_start_tls_comes_tls, wire_open(w))
{
    static const char hello[] = "\x16\x03\x01\x00\x04\x01\x00\x00\x00";

    ldap_say(w, C, 1, 0x77,
             "\x80\x16"
             "1.3.6.1.4.1.1466.20037",
             24);
    ldap_say(w, S, 1, 0x78, "\x0a\x01\x00", 3);
    wire_bytes(w, C, hello, sizeof hello - 1);
    wire_bytes(w, S, hello, sizeof hello - 1);
    const struct tw_exchange *e = wire_expect(w, 2);
    assert_string_equal(e[0].request, "extended 1.3.6.1.4.1.1466.20037");
    assert_string_equal(e[1].protocol, "tls");
    assert_int_equal(e[1].response_from, 11);
}

/* What begins as LDAP's messages do, but has another operation. */
WIRE_TEST(snmp_is_not_ldap, wire_open(w))
{
    wire_bytes(w, C, "\x30\x0a\x02\x01\x01\x04\x06public", 13);
    wire_text(w, S, "x");
    assert_string_equal(wire_exchanges(w)[0].protocol, "turn");
}

/* ---- RPC ------------------------------------------------------------------------------------- */

static void rpc_say(struct wire *w, enum tcpwhy_side from, const uint32_t *words, size_t n,
                    bool last)
{
    uint8_t m[200];
    tw_byte_array *out = tw_byte_array_new();
    uint32_t mark = GUINT32_TO_BE((uint32_t)(4 * n) | (last ? 0x80000000u : 0));

    tw_byte_array_append(out, (const uint8_t *)&mark, 4);
    for (size_t i = 0; i < n; i++) {
        uint32_t word = GUINT32_TO_BE(words[i]);

        tw_byte_array_append(out, (const uint8_t *)&word, 4);
    }
    assert_true(out->len < sizeof m);
    wire_bytes(w, from, out->data, out->len);
    tw_byte_array_free(out, TRUE);
}

WIRE_TEST(replies_are_paired_by_transaction_id, wire_open(w))
{
    static const uint32_t lookup[] = { 70, 0, 2, 100003, 3, 3, 0, 0, 0, 0, 1 },
                          read[] = { 71, 0, 2, 100003, 3, 6, 0, 0, 0, 0, 1 },
                          more[] = { 1, 2, 3, 4, 5, 6, 7, 8 }, stale[] = { 70, 1, 0, 0, 0, 0, 70 },
                          done[] = { 71, 1, 0, 0, 0, 0, 0 };

    rpc_say(w, C, lookup, G_N_ELEMENTS(lookup), true);
    rpc_say(w, C, read, G_N_ELEMENTS(read), false);
    rpc_say(w, C, more, G_N_ELEMENTS(more), true);
    rpc_say(w, S, done, G_N_ELEMENTS(done), true);
    rpc_say(w, S, stale, G_N_ELEMENTS(stale), true);
    const struct tw_exchange *e = wire_expect(w, 2);
    wire_asked(&e[0], "nfs", "LOOKUP");
    assert_string_equal(w->exchanges.more[e[0].more - 1].detail, "STALE");
    assert_int_equal(wire_frame_of(w, e[0].response_first), 8);
    assert_string_equal(e[1].request, "READ");
    assert_int_equal(wire_frame_of(w, e[1].request_last), 6);
    assert_int_equal(wire_frame_of(w, e[1].response_first), 7);
}

static const uint32_t null_call[] = { 70, 0, 2, 100003, 3, 0, 0, 0, 0, 0 };

/* The server, of another protocol, sends the first bytes back with an error. */
WIRE_TEST(a_short_answer_that_is_no_reply_ends_the_wait_for_one, wire_open(w))
{
    rpc_say(w, C, null_call, G_N_ELEMENTS(null_call), true);
    wire_bytes(w, S, "\x80\0\0\x28\0\0\0\x46\x15\x02", 10);
    const struct tw_exchange *e = wire_expect(w, 2);
    wire_asked(&e[0], "nfs", "NULL");
    assert_string_equal(e[1].protocol, "rpc");
    assert_int_equal(wire_frame_of(w, e[1].response_first), 5);
}

WIRE_TEST(a_reply_whose_head_comes_in_two_pieces_is_a_reply, wire_open(w))
{
    rpc_say(w, C, null_call, G_N_ELEMENTS(null_call), true);
    wire_bytes(w, S, "\x80\0\0\x18\0\0\0\x46\0\0", 10);
    wire_bytes(w, S, "\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 18);
    const struct tw_exchange *e = wire_expect(w, 1);
    wire_asked(e, "nfs", "NULL");
    assert_int_equal(wire_frame_of(w, e->response_first), 5);
}

static void expect_name(const uint32_t *call, size_t n, const char *name)
{
    struct wire w;

    wire_open(&w);
    rpc_say(&w, C, call, n, true);
    assert_string_equal(wire_exchanges(&w)[0].request, name);
    wire_close(&w);
}

TEST(a_compound_is_named_by_what_it_does)
{
    /* Tag, minor version, 3 operations: SEQUENCE, PUTFH of 4 bytes, READ. */
    static const uint32_t call[] = { 9, 0, 2, 100003, 4, 1, 0, 0, 0,  0, 0,  1,  3, 53,
                                     0, 0, 0, 0,      0, 0, 0, 0, 22, 4, 77, 25, 0, 0 };

    expect_name(call, G_N_ELEMENTS(call), "READ");
}

TEST(a_compound_that_asks_for_attributes_before_it_opens_is_an_open)
{
    /* PUTROOTFH, GETATTR of two words, ACCESS, GETFH, OPEN. */
    static const uint32_t opens[] = { 9, 0,  2, 100003, 4,  1,  0, 0, 0,  0,  0, 0,
                                      5, 24, 9, 2,      18, 18, 3, 1, 10, 18, 0, 0 };
    /* PUTROOTFH, GETFH, ACCESS, and a bitmap longer than the call. */
    static const uint32_t asks[] = { 9, 0, 2, 100003, 4,  1, 0, 0, 0,          0,
                                     0, 0, 4, 24,     10, 3, 1, 9, 0xffffffff, 18 };

    expect_name(opens, G_N_ELEMENTS(opens), "OPEN");
    expect_name(asks, G_N_ELEMENTS(asks), "GETFH");
}
