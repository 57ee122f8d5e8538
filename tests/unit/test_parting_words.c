/* SPDX-License-Identifier: MIT */
/* Connections that a server ends by an error in its own words, and WebSockets that end without any.
 */
#include "tests/unit/session_talk.h"

/* The server's first words, behind the client's, which may be NULL; then a side closes. */
static tcpwhy_report *turn_away(const char *client, const char *words, size_t len, bool closes)
{
    struct talk t = meet();

    if (client)
        say(&t, 15, C, client);
    say_bytes(&t, 20, S, TW_PSH, words, len);
    say_bytes(&t, 21, C, 0, NULL, 0);
    return part(&t, 30, closes);
}

static void is_dismissed(const tcpwhy_report *report, const char *words)
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_DISMISSED);
    assert_int_equal(tcpwhy_report_failure(report, 0)->who, TCPWHY_BY_SERVER);
    assert_non_null(strstr(tcpwhy_report_failure(report, 0)->summary, words));
}

static const char too_many[] = "\x1d\0\0\0\xff\x10\x04#08004Too many connections";

REPORT_TEST(an_error_instead_of_mysqls_greeting_turns_away,
            turn_away(NULL, too_many, sizeof too_many - 1, S))
{
    is_dismissed(report, "1040 Too many connections");
}

REPORT_TEST(a_client_that_closes_first_was_not_turned_away,
            turn_away(NULL, too_many, sizeof too_many - 1, C))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_DISMISSED);
}

static const char closing[] = "421 4.7.0 Too many connections\r\n";

REPORT_TEST(mail_turns_away_by_421, turn_away(NULL, closing, sizeof closing - 1, S))
{
    is_dismissed(report, "421 4.7.0 Too many connections");
}

static const char greeting[] = "220 mail ESMTP\r\n";

REPORT_TEST(a_greeting_turns_nobody_away, turn_away(NULL, greeting, sizeof greeting - 1, S))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_DISMISSED);
}

/* Mail: after a command was answered, such a line comes unasked, and the server closes. */
static tcpwhy_report *end_session(const char *line)
{
    struct talk t = meet();

    say(&t, 20, S, greeting);
    say(&t, 30, C, "EHLO a\r\n");
    say(&t, 40, S, "250 mail\r\n");
    say(&t, 300040, S, line);
    return part(&t, 300050, S);
}

REPORT_TEST(a_421_ends_a_session_of_mail, end_session(closing))
{
    is_dismissed(report, "421 4.7.0 Too many connections");
    assert_int_equal(tcpwhy_report_failure(report, 0)->after_ns, TCPWHY_MS(300040));
}

REPORT_TEST(another_line_ends_none, end_session("250 2.0.0 Ok\r\n"))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

static const char most[] = "-ERR max number of clients reached\r\n";

REPORT_TEST(redis_turns_away_before_it_was_asked, turn_away(NULL, most, sizeof most - 1, S))
{
    is_dismissed(report, "-ERR max number of clients reached");
}

REPORT_TEST(an_error_in_answer_to_a_question_turns_nobody_away,
            turn_away("FOO\r\n", most, sizeof most - 1, S))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_DISMISSED);
}

static const char startups[] = "Exceeded MaxStartups\r\n";

REPORT_TEST(sshd_turns_away_without_its_version,
            turn_away("SSH-2.0-a\r\n", startups, sizeof startups - 1, S))
{
    is_dismissed(report, "Exceeded MaxStartups");
}

static const char version[] = "SSH-2.0-b\r\n";

REPORT_TEST(a_version_of_ssh_turns_nobody_away,
            turn_away("SSH-2.0-a\r\n", version, sizeof version - 1, S))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_DISMISSED);
}

/* PostgreSQL: an error of that severity answers a query, and the server closes. */
static tcpwhy_report *fail_query(const char *severity, bool goes_on)
{
    static const char startup[] = "\0\0\0\x11\0\3\0\0user\0app\0";
    static const char ready[] = "R\0\0\0\x08\0\0\0\0Z\0\0\0\5I", query[] = "Q\0\0\0\x0dSELECT 1";
    char error[64];
    size_t len;
    struct talk t = meet();

    say_bytes(&t, 15, C, TW_PSH, startup, sizeof startup - 1);
    say_bytes(&t, 16, S, TW_PSH, ready, sizeof ready - 1);
    say_bytes(&t, 17, C, TW_PSH, query, sizeof query);
    len =
        5 + (size_t)g_snprintf(error + 5, sizeof error - 5, "%s|C57P01|Mshut down|", severity) + 1;
    memcpy(error, "E\0\0\0", 4);
    error[4] = (char)(len - 1);
    for (size_t i = 5; i < len; i++)
        error[i] = error[i] == '|' ? '\0' : error[i];
    say_bytes(&t, 18, S, TW_PSH, error, len);
    say_bytes(&t, 19, C, goes_on ? TW_PSH : 0, query, goes_on ? sizeof query : 0);
    return part(&t, 30, S);
}

REPORT_TEST(a_fatal_error_of_postgresql_ends_the_session, fail_query("VFATAL", false))
{
    is_dismissed(report, "57P01 shut down");
}

REPORT_TEST(an_error_of_pgbouncer_ends_the_session_too, fail_query("SFATAL", false))
{
    is_dismissed(report, "57P01 shut down");
}

REPORT_TEST(another_error_of_postgresql_ends_none, fail_query("VERROR", false))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_DISMISSED);
}

REPORT_TEST(who_asks_on_was_not_turned_away, fail_query("VFATAL", true))
{
    assert_int_not_equal(failure_of(report), TCPWHY_FAILURE_DISMISSED);
}

/* Mail: the session ends by that line, and the client asks 5 s later. */
static tcpwhy_report *ask_after(const char *line)
{
    struct talk t = meet();

    say(&t, 20, S, greeting);
    say(&t, 30, C, "EHLO a\r\n");
    say(&t, 40, S, "250 mail\r\n");
    say(&t, 300040, S, line);
    say_bytes(&t, 300041, S, TW_FIN, NULL, 0);
    say_bytes(&t, 300042, C, 0, NULL, 0);
    say(&t, 305000, C, "MAIL FROM:<a@b>\r\n");
    say_bytes(&t, 305010, S, TW_RST, NULL, 0);
    return finish(t.session);
}

REPORT_TEST(the_words_of_a_close_are_told_where_the_client_asks_on, ask_after(closing))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED);
    assert_non_null(strstr(tcpwhy_report_failure(report, 0)->summary,
                           "in its own words (\"421 4.7.0 Too many connections\")"));
}

REPORT_TEST(a_close_without_words_has_none, ask_after("250 2.0.0 Ok\r\n"))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED);
    assert_null(strstr(tcpwhy_report_failure(report, 0)->summary, "words"));
}

/* A WebSocket that is closed so long after its last message, perhaps behind a Close frame. */
static tcpwhy_report *drop(int64_t idle_ms, bool close_frame)
{
    struct talk t = meet();

    say(&t, 20, C, "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    say(&t, 40, S,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\n\r\n");
    say(&t, 60, C,
        "\x81\x85"
        "abcdhello");
    say(&t, 80, S, "\x81\x05hello");
    if (close_frame)
        say(&t, 80 + idle_ms, S, "\x88\x02\x03\xe9");
    return part(&t, 85 + idle_ms + (close_frame ? 2000 : 0), S);
}

REPORT_TEST(a_websocket_that_ends_without_a_close_frame_was_dropped, drop(60000, false))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_WEBSOCKET_DROPPED);
    assert_int_equal(tcpwhy_report_failure(report, 0)->who, TCPWHY_BY_SERVER);
    assert_int_equal(tcpwhy_report_failure(report, 0)->after_ns, TCPWHY_MS(60005));
}

REPORT_TEST(a_close_frame_ends_a_websocket_in_order, drop(60000, true))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

REPORT_TEST(a_websocket_that_is_used_to_its_end_was_not_idle, drop(20, false))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

/* A client of MQTT that announces a keep-alive of 20 s and is silent for so long, then a side
 * closes. */
static tcpwhy_report *be_silent(unsigned keep_alive_s, int64_t silence_ms, bool closes)
{
    char connect[] = "\x10\x0d\0\x04MQTT\x04\x02\0\0\0\x01m";
    struct talk t = meet();

    connect[11] = (char)keep_alive_s;
    say_bytes(&t, 20, C, TW_PSH, connect, sizeof connect - 1);
    say_bytes(&t, 31, S, TW_PSH, "\x20\x02\0\0", 4);
    say_bytes(&t, 32, C, 0, NULL, 0);
    say_bytes(&t, 10000, C, TW_PSH, "\xc0\0", 2);
    say_bytes(&t, 10011, S, TW_PSH, "\xd0\0", 2);
    say_bytes(&t, 10012, C, 0, NULL, 0);
    return part(&t, 10000 + silence_ms, closes);
}

REPORT_TEST(a_client_of_mqtt_that_misses_its_keep_alive_is_closed, be_silent(20, 30400, S))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_KEEP_ALIVE_MISSED);
    assert_int_equal(tcpwhy_report_failure(report, 0)->who, TCPWHY_BY_CLIENT);
    assert_int_equal(tcpwhy_report_failure(report, 0)->after_ns, TCPWHY_MS(30400));
}

REPORT_TEST(a_close_within_the_keep_alive_has_another_reason, be_silent(20, 29000, S))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

REPORT_TEST(a_client_that_leaves_after_its_keep_alive_missed_none, be_silent(20, 30400, C))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

REPORT_TEST(a_client_that_promises_no_keep_alive_misses_none, be_silent(0, 30400, S))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

/* A request, the client's FIN so long after it, and the server's without an answer. */
static tcpwhy_report *half_close(const char *request, int64_t after_ms)
{
    struct talk t = meet();

    say_bytes(&t, 20, C, TW_PSH, request, strlen(request));
    say_bytes(&t, 20 + after_ms, C, TW_FIN, NULL, 0);
    say_bytes(&t, 31 + after_ms, S, 0, NULL, 0);
    say_bytes(&t, 32 + after_ms, S, TW_FIN, NULL, 0);
    say_bytes(&t, 33 + after_ms, C, 0, NULL, 0);
    return finish(t.session);
}

static const char get[] = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

REPORT_TEST(a_client_that_closes_its_side_with_its_request_gets_nothing, half_close(get, 0))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_EMPTY_REPLY);
    assert_int_equal(tcpwhy_report_failure(report, 0)->who, TCPWHY_BY_CLIENT);
    assert_int_equal(tcpwhy_report_failure(report, 0)->confidence, TCPWHY_LIKELY);
}

REPORT_TEST(a_client_that_leaves_after_a_while_has_no_empty_reply, half_close(get, 300))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

REPORT_TEST(a_message_of_no_protocol_may_be_all_there_is_to_say, half_close("cpu 3 17\n", 0))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
static const char refuses[] = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";

REPORT_TEST(a_server_without_http2_turns_its_preface_away,
            turn_away(preface, refuses, sizeof refuses - 1, S))
{
    is_dismissed(report, "HTTP/1.1 400 Bad Request");
}

REPORT_TEST(an_error_in_answer_to_http1_turns_nobody_away,
            turn_away(get, refuses, sizeof refuses - 1, S))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

/* It asks 10 s after the close that its silence has brought about. */
static tcpwhy_report *ask_after_silence(const char *tune_ok, size_t len, int64_t silence_ms)
{
    struct talk t = meet();

    say_bytes(&t, 20, C, TW_PSH, "AMQP\0\0\x09\1", 8);
    say_bytes(&t, 31, S, TW_PSH, "\1\0\0\0\0\0\4\0\x0a\0\x0a\xce", 12);
    say_bytes(&t, 32, C, TW_PSH, tune_ok, len);
    say_bytes(&t, 43, S, TW_PSH, "\1\0\0\0\0\0\4\0\x0a\0\x29\xce", 12);
    say_bytes(&t, 44, C, 0, NULL, 0);
    say_bytes(&t, 32 + silence_ms, S, TW_FIN, NULL, 0);
    say_bytes(&t, 33 + silence_ms, C, 0, NULL, 0);
    say_bytes(&t, 10000 + silence_ms, C, TW_PSH, "\x8\0\0\0\0\0\0\xce", 8);
    say_bytes(&t, 10010 + silence_ms, S, TW_RST, NULL, 0);
    return finish(t.session);
}

/* tune-ok with a heartbeat of 20 s. */
static const char tune_ok[] = "\1\0\0\0\0\0\x0c\0\x0a\0\x1f\7\xff\0\2\0\0\0\x14\xce";

REPORT_TEST(a_client_of_amqp_that_sends_no_heartbeat_is_closed_and_may_ask_later,
            ask_after_silence(tune_ok, sizeof tune_ok - 1, 40000))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_KEEP_ALIVE_MISSED);
    assert_int_equal(tcpwhy_report_failure(report, 0)->after_ns, TCPWHY_MS(40000));
}

REPORT_TEST(a_close_before_two_heartbeats_has_another_reason,
            ask_after_silence(tune_ok, sizeof tune_ok - 1, 39000))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_CLOSED_CONNECTION_REUSED);
}

#define PROXY_HEADER "PROXY TCP4 198.51.100.22 10.0.0.9 35646 80\r\n"
#define GET          "GET / HTTP/1.1\r\n\r\n"
#define BAD          "HTTP/1.1 400 Bad Request\r\nContent-Length: 3\r\n\r\nbad"
#define GOOD         "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nyes"

static const char binary_header[] =
    "\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc6\x33\x64\x16\x0a\0\0\x09\x8b\x3e\0\x50" GET;

/* Those words and, after the answer, the close of the server; or its RST instead of an answer. */
static tcpwhy_report *ask_by_proxy(const char *words, size_t len, const char *answer, bool closes)
{
    struct talk t = meet();

    say_bytes(&t, 20, C, TW_PSH, words, len);
    if (!answer) {
        say_bytes(&t, 31, S, TW_RST, NULL, 0);
        return finish(t.session);
    }
    say(&t, 31, S, answer);
    return part(&t, 40, closes);
}

static bool names_header(const tcpwhy_report *report)
{
    return strstr(tcpwhy_report_failure(report, 0)->summary, "PROXY protocol header") != NULL;
}

REPORT_TEST(a_server_that_expects_no_proxy_header_takes_it_for_a_bad_request,
            ask_by_proxy(PROXY_HEADER GET, sizeof(PROXY_HEADER GET) - 1, BAD, S))
{
    is_dismissed(report, "by \"400 Bad Request\"");
    assert_true(names_header(report));
    assert_int_equal(tcpwhy_report_failure(report, 0)->confidence, TCPWHY_LIKELY);
}

REPORT_TEST(a_binary_proxy_header_is_one_too,
            ask_by_proxy(binary_header, sizeof binary_header - 1, BAD, S))
{
    is_dismissed(report, "PROXY protocol header");
}

REPORT_TEST(a_reset_in_answer_to_a_proxy_header_names_it,
            ask_by_proxy(PROXY_HEADER GET, sizeof(PROXY_HEADER GET) - 1, NULL, S))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_REQUEST_RESET);
    assert_true(names_header(report));
}

REPORT_TEST(a_server_that_takes_the_proxy_header_answers_what_follows,
            ask_by_proxy(PROXY_HEADER GET, sizeof(PROXY_HEADER GET) - 1, GOOD, S))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

REPORT_TEST(a_bad_request_without_a_proxy_header_turns_nobody_away,
            ask_by_proxy(GET, sizeof GET - 1, BAD, S))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}

REPORT_TEST(a_client_that_closes_after_a_bad_request_was_not_turned_away,
            ask_by_proxy(PROXY_HEADER GET, sizeof(PROXY_HEADER GET) - 1, BAD, C))
{
    assert_int_equal(failure_of(report), TCPWHY_FAILURE_NONE);
}
