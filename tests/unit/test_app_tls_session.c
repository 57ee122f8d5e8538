/* SPDX-License-Identifier: MIT */
/* How a TLS handshake is told, and the key log. */
#include "base/array.h"
#include "tests/unit.h"

#include <glib.h>

#include "app/tls_keys.h"
#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

static tw_byte_array *made;

static void put(const void *bytes, size_t len)
{
    if (len > 0)
        tw_byte_array_append(made, bytes, (guint)len);
}

static void put16(size_t n)
{
    const uint8_t b[2] = { (uint8_t)(n >> 8), (uint8_t)n };

    put(b, 2);
}

/* A handshake record with one message. */
static void message(struct wire *w, enum tcpwhy_side from, uint8_t type, const void *body,
                    size_t len)
{
    const uint8_t head[] = { type, 0 };

    made = tw_byte_array_new();
    put("\x16\x03\x03", 3);
    put16(len + 4);
    put(head, 2);
    put16(len);
    put(body, len);
    wire_bytes(w, from, made->data, made->len);
    tw_byte_array_unref(made);
}

static void client_hello(struct wire *w)
{
    uint8_t body[2 + 32 + 1 + 2 + 2 + 2] = { 3, 3 };

    body[36] = 2; /* one suite */
    body[39] = 1; /* no compression */
    message(w, C, 1, body, sizeof body);
}

/* An SHA-256 that says HelloRetryRequest, or zeros. */
static void server_hello(struct wire *w, uint16_t suite, const char *extensions, size_t len,
                         bool retry)
{
    static const uint8_t again[32] = { 0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11,
                                       0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91,
                                       0xc2, 0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e,
                                       0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c };
    uint8_t body[128] = { 3, 3 };

    if (retry)
        memcpy(body + 2, again, 32);
    body[35] = (uint8_t)(suite >> 8);
    body[36] = (uint8_t)suite;
    body[39] = (uint8_t)len;
    memcpy(body + 40, extensions, len);
    message(w, S, 2, body, 40 + len);
}

#define VERSION_13     "\0\x2b\0\2\3\4"
#define PRE_SHARED_KEY "\0\x29\0\2\0\0"
#define ALPN_H2        "\0\x10\0\5\0\3\2h2"

static const uint8_t sealed[] = { 0x17, 3, 3, 0, 3, 'x', 'y', 'z' };
static const uint8_t change[] = { 0x14, 3, 3, 0, 1, 1 };
static const uint8_t finished[] = { 0x16, 3, 3, 0, 3, 'x', 'y', 'z' };

static void data(struct wire *w, enum tcpwhy_side from)
{
    wire_bytes(w, from, sealed, sizeof sealed);
}

static void assert_told(struct wire *w, const char *begin)
{
    const struct tw_exchange *e = wire_exchanges(w);
    const struct tw_exchange_more *more = w->exchanges.more;

    assert_true(e->more > 0);
    if (strncmp(more[e->more - 1].detail, begin, strlen(begin)) != 0)
        fail_msg("%s", more[e->more - 1].detail);
}

WIRE_TEST(tls_13_takes_one_round_trip, wire_open(w))
{
    client_hello(w);
    server_hello(w, 0x1301, VERSION_13, sizeof VERSION_13 - 1, false);
    data(w, S);
    data(w, C);
    assert_told(w, "TLS 1.3, full, 1 round trip, ");
}

WIRE_TEST(a_pre_shared_key_resumes, wire_open(w))
{
    client_hello(w);
    server_hello(w, 0x1301, VERSION_13 PRE_SHARED_KEY,
                 sizeof VERSION_13 + sizeof PRE_SHARED_KEY - 2, false);
    data(w, C);
    assert_told(w, "TLS 1.3, resumed, 1 round trip, ");
}

WIRE_TEST(a_retry_takes_another_round_trip, wire_open(w))
{
    client_hello(w);
    server_hello(w, 0x1301, VERSION_13, sizeof VERSION_13 - 1, true);
    client_hello(w);
    server_hello(w, 0x1301, VERSION_13, sizeof VERSION_13 - 1, false);
    data(w, C);
    assert_told(w, "TLS 1.3, HelloRetryRequest, 2 round trips, ");
}

WIRE_TEST(tls_12_with_a_certificate_is_full_and_names_its_protocol, wire_open(w))
{
    client_hello(w);
    server_hello(w, 0xc02f, ALPN_H2, sizeof ALPN_H2 - 1, false);
    message(w, S, 11, "\0\0\0", 3);
    wire_bytes(w, C, change, sizeof change);
    wire_bytes(w, C, finished, sizeof finished);
    wire_bytes(w, S, change, sizeof change);
    assert_told(w, "TLS 1.2, h2, full, 2 round trips, ");
}

WIRE_TEST(tls_12_without_one_is_resumed, wire_open(w))
{
    client_hello(w);
    server_hello(w, 0xc02f, "", 0, false);
    wire_bytes(w, S, change, sizeof change);
    wire_bytes(w, C, change, sizeof change);
    wire_bytes(w, C, finished, sizeof finished);
    assert_told(w, "TLS 1.2, resumed, 1 round trip, ");
}

#define TLS_KEYS_TEST(name)                                                                        \
    TEST_FROM(name, struct tw_tls_keys *, keys, tw_tls_keys_new(), tw_tls_keys_free(keys))

/* Nothing says that there is a connection: it is told by turns as without keys. */
TLS_KEYS_TEST(keys_of_another_session_are_told_and_do_no_harm)
{
    struct wire w;
    char line[200] = "CLIENT_RANDOM ";

    memset(line + 14, '7', 64);
    line[78] = ' ';
    memset(line + 79, '8', 96);
    assert_int_equal(tw_tls_keys_add(keys, tw_bytes((const uint8_t *)line, 175)), 1);
    wire_open(&w);
    w.app.keys = keys;
    client_hello(&w);
    server_hello(&w, 0xc02f, "", 0, false);
    wire_bytes(&w, S, change, sizeof change);
    wire_bytes(&w, C, change, sizeof change);
    wire_bytes(&w, C, finished, sizeof finished);
    data(&w, C);
    data(&w, S);
    assert_told(&w, "TLS 1.2, resumed, 1 round trip, 64 + 55 bytes, no keys");
    wire_close(&w);
}

TLS_KEYS_TEST(a_suite_that_is_not_read_is_told_apart_from_missing_keys)
{
    struct wire w;
    char line[200] = "CLIENT_RANDOM ";

    memset(line + 14, '0', 64); /* the random of client_hello() */
    line[78] = ' ';
    memset(line + 79, '8', 96);
    tw_tls_keys_add(keys, tw_bytes((const uint8_t *)line, 175));
    wire_open(&w);
    w.app.keys = keys;
    client_hello(&w);
    server_hello(&w, 0xc027, "", 0, false); /* AES-128-CBC */
    wire_bytes(&w, S, change, sizeof change);
    wire_bytes(&w, C, change, sizeof change);
    wire_bytes(&w, C, finished, sizeof finished);
    assert_told(&w, "TLS 1.2, resumed, 1 round trip, 64 + 55 bytes, keys for a suite that is not "
                    "read");
    wire_close(&w);
}

TLS_KEYS_TEST(secrets_that_do_not_fit_are_told)
{
    struct wire w;
    char line[200] = "CLIENT_RANDOM ";

    memset(line + 14, '0', 64); /* the random of client_hello() */
    line[78] = ' ';
    memset(line + 79, '8', 96);
    tw_tls_keys_add(keys, tw_bytes((const uint8_t *)line, 175));
    wire_open(&w);
    w.app.keys = keys;
    client_hello(&w);
    server_hello(&w, 0xc02f, "", 0, false);
    wire_bytes(&w, S, change, sizeof change);
    wire_bytes(&w, C, change, sizeof change);
    wire_bytes(&w, C, finished, sizeof finished);
    data(&w, C);
    data(&w, S);
    wire_exchanges(&w);
    assert_string_equal(w.exchanges.exchange[0].protocol, "tls");
    assert_non_null(
        strstr(w.exchanges.more[w.exchanges.exchange[0].more - 1].detail, ", keys do not fit"));
    assert_true(w.exchanges.n > 1);
    wire_close(&w);
}

TLS_KEYS_TEST(lines_that_are_no_secrets_are_skipped)
{
    static const char text[] = "# a comment\n\nCLIENT_RANDOM 00 11\nCLIENT_RANDOM\n"
                               "SOMETHING_ELSE 00 00\nCLIENT_RANDOM zz zz";

    assert_int_equal(tw_tls_keys_add(keys, tw_bytes((const uint8_t *)text, sizeof text - 1)), 0);
    assert_false(tw_tls_keys_any(keys));
}

WIRE_TEST(a_fatal_alert_in_clear_is_kept, wire_open(w))
{
    static const uint8_t fatal[] = { 0x15, 3, 3, 0, 2, 2, 40 };

    client_hello(w);
    wire_bytes(w, S, fatal, sizeof fatal);
    wire_exchanges(w);
    assert_true(w->exchanges.facts->alert_frame > 0);
    assert_int_equal(w->exchanges.facts->alert, 40);
}

WIRE_TEST(a_warning_ends_no_handshake, wire_open(w))
{
    static const uint8_t warning[] = { 0x15, 3, 3, 0, 2, 1, 0 };

    client_hello(w);
    wire_bytes(w, S, warning, sizeof warning);
    wire_exchanges(w);
    assert_int_equal(w->exchanges.facts->alert_frame, 0);
}

/* Behind the change to the cipher nobody knows what a record of that type holds. */
WIRE_TEST(an_alert_under_protection_is_none_in_clear, wire_open(w))
{
    static const uint8_t alert[] = { 0x15, 3, 3, 0, 2, 2, 40 };

    client_hello(w);
    server_hello(w, 0x1301, VERSION_13, sizeof VERSION_13 - 1, false);
    wire_bytes(w, S, alert, sizeof alert);
    wire_exchanges(w);
    assert_int_equal(w->exchanges.facts->alert_frame, 0);
}

static enum tw_tls_progress progress_of(struct wire *w)
{
    wire_exchanges(w);
    return w->exchanges.facts->tls;
}

WIRE_TEST(another_protocol_that_answers_a_client_hello_is_told, wire_open(w))
{
    client_hello(w);
    wire_text(w, S, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
    assert_int_equal(progress_of(w), TW_TLS_ASKED);
    assert_int_equal(w->exchanges.facts->plain_frame, w->frame);
    assert_false(w->exchanges.facts->plain_by_asker);
}

WIRE_TEST(tls_that_answers_tls_is_no_other_protocol, wire_open(w))
{
    client_hello(w);
    server_hello(w, 0x1301, VERSION_13, sizeof VERSION_13 - 1, false);
    wire_text(w, S, "no record");
    assert_int_equal(progress_of(w), TW_TLS_GREETED);
    assert_int_equal(w->exchanges.facts->plain_frame, 0);
}

WIRE_TEST(an_alert_that_answers_a_question_in_clear_is_told, wire_open(w))
{
    static const uint8_t alert[] = { 0x15, 3, 1, 0, 2, 2, 70 };

    wire_text(w, C, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    wire_bytes(w, S, alert, sizeof alert);
    wire_exchanges(w);
    assert_int_equal(w->exchanges.facts->plain_frame, w->frame);
    assert_true(w->exchanges.facts->plain_by_asker);
}

WIRE_TEST(an_answer_in_clear_is_no_alert, wire_open(w))
{
    wire_text(w, C, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    wire_text(w, S, "HTTP/1.1 204 No Content\r\n\r\n");
    wire_exchanges(w);
    assert_int_equal(w->exchanges.facts->plain_frame, 0);
}

/* A client's first record under protection of TLS 1.3, so long. */
static enum tw_tls_progress behind(struct wire *w, uint8_t len)
{
    uint8_t record[64] = { 0x17, 3, 3, 0, len };

    client_hello(w);
    server_hello(w, 0x1301, VERSION_13, sizeof VERSION_13 - 1, false);
    wire_bytes(w, C, change, sizeof change);
    wire_bytes(w, C, record, 5 + (size_t)len);
    return progress_of(w);
}

WIRE_TEST(a_record_as_short_as_an_alert_leaves_the_handshake, wire_open(w))
{
    assert_int_equal(behind(w, 19), TW_TLS_LEFT);
    assert_int_equal(w->exchanges.facts->left_frame, w->frame);
}

WIRE_TEST(a_record_as_long_as_a_finished_ends_the_handshake, wire_open(w))
{
    assert_int_equal(behind(w, 53), TW_TLS_OPEN);
}

WIRE_TEST(a_client_that_heard_the_server_may_still_leave, wire_open(w))
{
    client_hello(w);
    server_hello(w, 0xc02f, "", 0, false);
    assert_int_equal(progress_of(w), TW_TLS_GREETED);
}

WIRE_TEST(before_tls_13_the_change_of_ciphers_goes_on, wire_open(w))
{
    client_hello(w);
    server_hello(w, 0xc02f, "", 0, false);
    wire_bytes(w, C, change, sizeof change);
    assert_int_equal(progress_of(w), TW_TLS_OPEN);
}
