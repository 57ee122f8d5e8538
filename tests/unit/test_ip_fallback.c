/* SPDX-License-Identifier: MIT */
/* IPv6 in vain, IPv4 instead: which connections are one wait. */
#include "base/array.h"
#include "tests/unit.h"

#include "report/facts/ip_fallback.h"
#include "tests/unit/made_report.h"

#define END_NS TCPWHY_S(100)

static struct tcpwhy_endpoint endpoint(gconstpointer listeners, guint number)
{
    const struct tcpwhy_endpoint *all = listeners;

    return all[number];
}

/* 0: IPv6, 443; 1: IPv4, 443; 2: IPv4, 80. */
static const struct tcpwhy_endpoint servers[] = {
    { .address = { 0x20, 1 }, .port = 443, .version = 6 },
    { .address = { 10, 0, 0, 9 }, .port = 443, .version = 4 },
    { .address = { 10, 0, 0, 9 }, .port = 80, .version = 4 },
};

/* Three SYNs over IPv6: at once, after a second and after three. */
static void add_vain(struct tw_connection_attempts *a, uint32_t stream, tcpwhy_ns at_ns)
{
    const struct tw_opening o = { .syn_ns = at_ns,
                                  .last_syn_ns = at_ns + TCPWHY_S(3),
                                  .answer_ns = TCPWHY_NS_UNKNOWN,
                                  .client = { 0x20, 1, 7 },
                                  .listener = 0,
                                  .stream = stream,
                                  .unanswered = 3,
                                  .version = 6,
                                  .outcome = TW_SETUP_SILENT };

    tw_array_append_val(tw_connection_attempts_all(a), o);
}

static void add_answered(struct tw_connection_attempts *a, uint32_t stream, guint listener,
                         tcpwhy_ns at_ns, uint8_t client)
{
    const struct tw_opening o = { .syn_ns = at_ns,
                                  .last_syn_ns = at_ns,
                                  .answer_ns = at_ns + TCPWHY_MS(20),
                                  .client = { 10, 0, 0, client },
                                  .listener = listener,
                                  .stream = stream,
                                  .version = 4,
                                  .outcome = TW_SETUP_OPEN };

    tw_array_append_val(tw_connection_attempts_all(a), o);
}

/* @return how many fallbacks there are; *first is the first. */
static guint find(struct tw_connection_attempts *a, tcpwhy_ns end_ns, struct tw_ip_fallback *first)
{
    tw_array *found = tw_ip_fallbacks(a, endpoint, servers, end_ns);
    guint n = found->len;

    if (n > 0)
        *first = tw_array_index(found, struct tw_ip_fallback, 0);
    tw_array_free(found, TRUE);
    tw_connection_attempts_free(a);
    return n;
}

TEST(an_answer_over_ipv4_before_the_next_syn_ends_the_wait)
{
    struct tw_connection_attempts *a = tw_connection_attempts_new();
    struct tw_ip_fallback f = { .stream = 0 };

    add_vain(a, 0, TCPWHY_S(10));
    add_answered(a, 1, 1, TCPWHY_S(15), 7);
    assert_int_equal(find(a, END_NS, &f), 1);
    assert_int_equal(f.stream, 0);
    assert_int_equal(f.instead, 1);
    assert_int_equal(f.began_ns - f.asked_ns, TCPWHY_S(5));
    assert_true(f.sure);
}

TEST(another_port_is_another_service)
{
    struct tw_connection_attempts *a = tw_connection_attempts_new();
    struct tw_ip_fallback f = { .stream = 0 };

    add_vain(a, 0, TCPWHY_S(10));
    add_answered(a, 1, 2, TCPWHY_S(15), 7);
    assert_int_equal(find(a, END_NS, &f), 0);
}

TEST(a_client_that_asks_on_by_ipv6_has_not_fallen_back)
{
    struct tw_connection_attempts *a = tw_connection_attempts_new();
    struct tw_ip_fallback f = { .stream = 0 };

    add_vain(a, 0, TCPWHY_S(10));
    add_answered(a, 1, 1, TCPWHY_S(12), 7);
    assert_int_equal(find(a, END_NS, &f), 0);
}

TEST(a_connection_long_after_is_none_of_it)
{
    struct tw_connection_attempts *a = tw_connection_attempts_new();
    struct tw_ip_fallback f = { .stream = 0 };

    add_vain(a, 0, TCPWHY_S(10));
    add_answered(a, 1, 1, TCPWHY_S(18), 7);
    assert_int_equal(find(a, END_NS, &f), 0);
}

TEST(of_two_hosts_nobody_knows_which_it_was)
{
    struct tw_connection_attempts *a = tw_connection_attempts_new();
    struct tw_ip_fallback f = { .stream = 0 };

    add_vain(a, 0, TCPWHY_S(10));
    add_answered(a, 1, 1, TCPWHY_S(15), 7);
    add_answered(a, 2, 1, TCPWHY_S(16), 8);
    assert_int_equal(find(a, END_NS, &f), 1);
    assert_false(f.sure);
}

TEST(a_capture_that_ends_before_the_next_syn_leaves_it_open)
{
    struct tw_connection_attempts *a = tw_connection_attempts_new();
    struct tw_ip_fallback f = { .stream = 0 };

    add_vain(a, 0, TCPWHY_S(10));
    add_answered(a, 1, 1, TCPWHY_S(15), 7);
    assert_int_equal(find(a, TCPWHY_S(16), &f), 1);
    assert_false(f.sure);
}

TEST(each_connection_replaces_one)
{
    struct tw_connection_attempts *a = tw_connection_attempts_new();
    struct tw_ip_fallback f = { .stream = 0 };

    add_vain(a, 0, TCPWHY_S(10));
    add_vain(a, 1, TCPWHY_S(10));
    add_answered(a, 2, 1, TCPWHY_S(15), 7);
    assert_int_equal(find(a, END_NS, &f), 1);
}
