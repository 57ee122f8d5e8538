/* SPDX-License-Identifier: MIT */
/* Lookups and neighbours joined to the SYNs that waited for them, and to no others. */
#include "base/array.h"
#include "tests/unit.h"

#include <string.h>

#include "names/names.h"

#define MS(n) TCPWHY_MS(n)

static struct tw_names *names;
static uint32_t frame;
static uint8_t answerer; /* host that answers queries to host 53 */

static void with_no_names(void (*test)(void))
{
    names = tw_names_new(1 << 20);
    frame = 0;
    answerer = 53;
    test();
    tw_names_free(names);
}

#define NAMES_TEST(name)                                                                           \
    static void name##_joined(void);                                                               \
    TEST(name)                                                                                     \
    {                                                                                              \
        with_no_names(name##_joined);                                                              \
    }                                                                                              \
    static void name##_joined(void)

/* 10.0.0.`from` to 10.0.0.`to`. */
static struct tw_tuple tuple(uint8_t from, uint16_t from_port, uint8_t to, uint16_t to_port)
{
    return (struct tw_tuple) { .version = 4,
                               .address = { { 10, 0, 0, from }, { 10, 0, 0, to } },
                               .port = { from_port, to_port } };
}

/* The name that messages ask for: labels, each behind its length. */
static const char *asked_name = "\1a";

/* Host 1 and the resolver, 10.0.0.53; the address is of host `gives`, 0: none. */
static void dns(tcpwhy_ns at_ns, bool response, uint16_t id, uint16_t type, uint8_t gives,
                uint16_t code, uint16_t port)
{
    uint8_t bytes[96] = {
        (uint8_t)(id >> 8), (uint8_t)id, response ? 0x81 : 1, (uint8_t)code, 0, 1, 0, gives ? 1 : 0
    };
    const uint8_t record[] = { 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 0, gives };
    struct tw_segment s = { .tuple = response ? tuple(answerer, port, 1, 40000)
                                              : tuple(1, 40000, 53, port) };
    size_t end = 12 + strlen(asked_name) + 1;

    memcpy(bytes + 12, asked_name, strlen(asked_name));
    bytes[end + 1] = (uint8_t)type;
    bytes[end + 3] = 1;
    end += 4;
    memcpy(bytes + end, record, sizeof record);
    s.payload = tw_bytes(bytes, gives ? end + sizeof record : end);
    tw_names_take(names, &s, at_ns, ++frame);
}

static void ask(tcpwhy_ns at_ns, uint16_t id, uint16_t type)
{
    dns(at_ns, false, id, type, 0, 0, TW_DNS_PORT);
}

static void give(tcpwhy_ns at_ns, uint16_t id, uint16_t type, uint8_t host)
{
    dns(at_ns, true, id, type, host, 0, TW_DNS_PORT);
}

/* ICMP returns a query of host 1, whole or cut behind the ports. */
static void undelivered(tcpwhy_ns at_ns, uint16_t id, enum tw_icmp_kind kind, bool whole)
{
    uint8_t bytes[] = {
        0, (uint8_t)id, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 0, 0, TW_DNS_A, 0, 1
    };
    struct tw_dissection d = { .kind = TW_FRAME_UDP,
                               .icmp = kind,
                               .icmp_code = 3,
                               .segment = { .tuple = tuple(1, 40000, 53, TW_DNS_PORT),
                                            .facts = TW_SEG_QUOTED,
                                            .payload =
                                                tw_bytes(bytes, whole ? sizeof bytes : 0) } };

    tw_names_take_icmp(names, &d, at_ns, ++frame);
}

/* hardware: of who answers; 0: not known. */
static void arp_by(tcpwhy_ns at_ns, uint8_t from, uint8_t to, bool answers, uint8_t hardware)
{
    struct tw_dissection d = { .kind = TW_FRAME_NEIGHBOUR,
                               .segment = { .tuple = tuple(from, 0, to, 0) },
                               .neighbour_answers = answers,
                               .hardware = { 0, 0, 0, 0, 0, hardware } };

    tw_names_take_neighbour(names, &d, at_ns, ++frame);
}

static void arp(tcpwhy_ns at_ns, uint8_t from, uint8_t to, bool answers)
{
    arp_by(at_ns, from, to, answers, 0);
}

/* @return the wait of that SYN of host 1; NULL: none. */
static const struct tw_before_syn *syn(tcpwhy_ns at_ns, uint8_t to)
{
    struct tw_tuple t = tuple(1, 50000, to, 80);
    guint n = names->before->len;

    frame++;
    tw_names_join(names, &t, frame, at_ns, frame, true);
    return names->before->len > n ? &tw_array_index(names->before, struct tw_before_syn, n) : NULL;
}

NAMES_TEST(an_icmp_error_says_that_a_query_was_not_delivered)
{
    ask(MS(0), 1, TW_DNS_A);
    undelivered(MS(1), 1, TW_ICMP_UNREACHABLE, true);
    assert_int_equal(tw_lookups_at(names->lookups, 0)->unreachable_frame, 2);
    assert_int_equal(tw_lookups_at(names->lookups, 0)->unreachable_ns, MS(1));
    assert_int_equal(tw_lookups_at(names->lookups, 0)->unreachable_code, 3);
    ask(MS(400), 1, TW_DNS_A); /* that one may be delivered */
    assert_int_equal(tw_lookups_at(names->lookups, 0)->unreachable_frame, 0);
}

NAMES_TEST(what_quotes_no_whole_query_or_says_something_else_is_no_answer)
{
    ask(MS(0), 1, TW_DNS_A);
    undelivered(MS(1), 1, TW_ICMP_UNREACHABLE, false);
    undelivered(MS(2), 1, TW_ICMP_TIME_EXCEEDED, true);
    assert_int_equal(tw_lookups_at(names->lookups, 0)->unreachable_frame, 0);
}

NAMES_TEST(a_syn_waited_for_its_name)
{
    const struct tw_before_syn *b;

    ask(MS(10), 1, TW_DNS_A);
    give(MS(260), 1, TW_DNS_A, 2);
    b = syn(MS(261), 2);
    assert_non_null(b);
    assert_int_equal(b->lookup_ns, MS(250));
    assert_int_equal(b->from_ns, MS(10));
    assert_int_equal(b->hop_ns, 0);
}

NAMES_TEST(only_the_first_syn_waited)
{
    ask(0, 1, TW_DNS_A);
    give(MS(100), 1, TW_DNS_A, 2);
    assert_non_null(syn(MS(101), 2));
    assert_null(syn(MS(102), 2));
}

NAMES_TEST(a_lookup_of_another_host_is_no_wait)
{
    ask(0, 1, TW_DNS_A);
    give(MS(100), 1, TW_DNS_A, 3);
    assert_null(syn(MS(101), 2));
}

NAMES_TEST(a_name_that_was_kept_is_no_wait)
{
    ask(0, 1, TW_DNS_A);
    give(MS(100), 1, TW_DNS_A, 2);
    assert_null(syn(MS(100) + TCPWHY_S(1) + 1, 2));
    ask(TCPWHY_S(10), 2, TW_DNS_A);
    give(TCPWHY_S(10) + MS(100), 2, TW_DNS_A, 2);
    assert_non_null(syn(TCPWHY_S(11) + MS(100), 2));
}

NAMES_TEST(retries_are_one_wait)
{
    const struct tw_before_syn *b;

    ask(0, 1, TW_DNS_A);
    ask(TCPWHY_S(5), 1, TW_DNS_A);
    ask(TCPWHY_S(10), 2, TW_DNS_A);
    give(TCPWHY_S(10) + MS(3), 2, TW_DNS_A, 2);
    b = syn(TCPWHY_S(10) + MS(4), 2);
    assert_non_null(b);
    assert_int_equal(b->lookup_ns, TCPWHY_S(10) + MS(3));
    assert_int_equal(tw_lookups_at(names->lookups, b->lookup)->n_queries, 3);
    assert_int_equal(tw_lookups_at(names->lookups, b->lookup)->query_ns, TCPWHY_S(10));
}

NAMES_TEST(the_wait_lasts_until_both_families_are_answered)
{
    ask(0, 1, TW_DNS_A);
    ask(MS(1), 2, TW_DNS_AAAA);
    give(MS(20), 1, TW_DNS_A, 2);
    give(MS(300), 2, TW_DNS_AAAA, 0);
    assert_int_equal(syn(MS(301), 2)->lookup_ns, MS(300));
}

NAMES_TEST(an_unanswered_family_that_nobody_waits_for_costs_nothing)
{
    ask(0, 1, TW_DNS_A);
    ask(MS(1), 2, TW_DNS_AAAA);
    give(MS(20), 1, TW_DNS_A, 2);
    assert_int_equal(syn(MS(21), 2)->lookup_ns, MS(20));
}

NAMES_TEST(an_unanswered_family_that_is_repeated_holds_up_the_syn)
{
    ask(0, 1, TW_DNS_A);
    ask(0, 2, TW_DNS_AAAA);
    give(MS(20), 1, TW_DNS_A, 2);
    ask(TCPWHY_S(5), 2, TW_DNS_AAAA);
    ask(TCPWHY_S(5), 3, TW_DNS_A);
    give(TCPWHY_S(5) + MS(20), 3, TW_DNS_A, 2);
    assert_int_equal(syn(TCPWHY_S(10), 2)->lookup_ns, TCPWHY_S(10));
}

/* Both families are asked for at once; the first query for A is answered or not. */
static const struct tw_before_syn *asked_again(bool answers_first)
{
    ask(MS(0), 1, TW_DNS_A);
    ask(MS(0), 2, TW_DNS_AAAA);
    if (answers_first)
        give(MS(1), 1, TW_DNS_A, 2);
    ask(MS(5000), 1, TW_DNS_A);
    give(MS(5001), 1, TW_DNS_A, 2);
    ask(MS(5001), 2, TW_DNS_AAAA);
    give(MS(5002), 2, TW_DNS_AAAA, 0);
    return syn(MS(5003), 2);
}

NAMES_TEST(one_lost_query_of_two_families_is_told)
{
    const struct tw_before_syn *b = asked_again(true);

    assert_non_null(b);
    assert_int_equal(b->lookup_ns, MS(5002));
    assert_true(b->half_lost);
}

NAMES_TEST(where_both_are_lost_it_is_no_half)
{
    const struct tw_before_syn *b = asked_again(false);

    assert_non_null(b);
    assert_false(b->half_lost);
}

/* One question, that long under way; the address is of host `gives`, 0: there is no such name. */
static void look_up(const char *name, tcpwhy_ns at_ns, tcpwhy_ns takes_ns, uint8_t gives)
{
    asked_name = name;
    dns(at_ns, false, (uint16_t)frame, TW_DNS_A, 0, 0, TW_DNS_PORT);
    dns(at_ns + takes_ns, true, (uint16_t)(frame - 1), TW_DNS_A, gives,
        gives ? TW_DNS_NO_ERROR : TW_DNS_NXDOMAIN, TW_DNS_PORT);
    asked_name = "\1a";
}

NAMES_TEST(the_domains_of_a_search_list_are_one_wait)
{
    const struct tw_before_syn *b;

    look_up("\2db\2ns\5local", MS(0), MS(30), 0);
    look_up("\2db\5local", MS(31), MS(30), 0);
    look_up("\2db", MS(62), MS(30), 2);
    b = syn(MS(93), 2);
    assert_non_null(b);
    assert_int_equal(b->lookup_ns, MS(92));
    assert_int_equal(b->searched, 2);
    assert_int_equal(b->first_frame, 1);
}

NAMES_TEST(a_search_may_end_in_the_middle_of_the_list)
{
    const struct tw_before_syn *b;

    look_up("\2db\2ns\3svc\5local", MS(0), MS(30), 0);
    look_up("\2db\3svc\5local", MS(31), MS(30), 2);
    b = syn(MS(62), 2);
    assert_non_null(b);
    assert_int_equal(b->lookup_ns, MS(61));
    assert_int_equal(b->searched, 1);
}

NAMES_TEST(another_name_that_does_not_exist_is_no_part_of_a_search)
{
    const struct tw_before_syn *b;

    look_up("\2dc\5local", MS(0), MS(30), 0);
    look_up("\3dbx\5local", MS(31), MS(30), 0);
    look_up("\2db\5local", MS(62), MS(30), 2);
    b = syn(MS(93), 2);
    assert_non_null(b);
    assert_int_equal(b->lookup_ns, MS(30));
    assert_int_equal(b->searched, 0);
}

NAMES_TEST(a_search_of_long_before_was_another_one)
{
    const struct tw_before_syn *b;

    look_up("\2db\5local", MS(0), MS(30), 0);
    look_up("\2db", MS(41), MS(30), 2);
    b = syn(MS(72), 2);
    assert_non_null(b);
    assert_int_equal(b->lookup_ns, MS(30));
}

NAMES_TEST(mdns_is_no_lookup)
{
    dns(0, false, 1, TW_DNS_A, 0, 0, 5353);
    dns(MS(100), true, 1, TW_DNS_A, 2, 0, 5353);
    assert_null(syn(MS(101), 2));
    assert_int_equal(tw_lookups_n(names->lookups), 0);
}

NAMES_TEST(an_answer_that_nobody_asked_for_is_ignored)
{
    ask(0, 1, TW_DNS_A);
    give(MS(100), 9, TW_DNS_A, 2);
    assert_null(syn(MS(101), 2));
    give(MS(110), 1, TW_DNS_A, 2);
    assert_non_null(syn(MS(111), 2));
}

NAMES_TEST(the_question_may_have_gone_another_way_too)
{
    ask(0, 1, TW_DNS_A);
    answerer = 54;
    give(MS(50), 2, TW_DNS_A, 2);
    assert_true(tw_lookups_at(names->lookups, 0)->answered_ns == TCPWHY_NS_UNKNOWN);
    give(MS(100), 1, TW_DNS_A, 2);
    assert_int_equal(tw_lookups_at(names->lookups, 0)->answered_ns, MS(100));
    assert_int_equal(tw_lookups_at(names->lookups, 0)->query_ns, 0);
    assert_non_null(syn(MS(101), 2));
}

NAMES_TEST(who_asks_again_takes_no_answers_from_elsewhere)
{
    ask(0, 1, TW_DNS_A);
    answerer = 54;
    give(MS(1), 1, TW_DNS_A, 2);
    ask(TCPWHY_S(4), 1, TW_DNS_A);
    give(TCPWHY_S(4) + MS(1), 1, TW_DNS_A, 2);
    assert_int_equal(tw_lookups_n(names->lookups), 1);
    assert_int_equal(tw_lookups_at(names->lookups, 0)->n_queries, 2);
    assert_true(tw_lookups_at(names->lookups, 0)->answered_ns == TCPWHY_NS_UNKNOWN);
    answerer = 53;
    give(TCPWHY_S(4) + MS(2), 1, TW_DNS_A, 2);
    assert_int_equal(tw_lookups_at(names->lookups, 0)->answered_ns, TCPWHY_S(4) + MS(2));
}

NAMES_TEST(a_syn_waited_for_its_next_hop)
{
    const struct tw_before_syn *b;

    arp(0, 1, 2, false);
    arp(TCPWHY_S(1), 1, 2, false);
    arp(TCPWHY_S(1) + MS(1), 2, 1, true);
    b = syn(TCPWHY_S(1) + MS(2), 2);
    assert_non_null(b);
    assert_int_equal(b->hop_ns, TCPWHY_S(1) + MS(1));
    assert_int_equal(tw_neighbours_at(names->neighbours, b->hop)->n_requests, 2);
    assert_null(syn(TCPWHY_S(1) + MS(3), 3));
}

/* An ARP request, and two answers, this far apart. @return the address that is believed. */
static uint8_t claimed_by(tcpwhy_ns apart_ns, uint8_t first, uint8_t second)
{
    arp(0, 1, 2, false);
    arp_by(MS(1), 2, 1, true, first);
    arp_by(MS(1) + apart_ns, 2, 1, true, second);
    return tw_neighbours_at(names->neighbours, 0)->hardware[1][5];
}

NAMES_TEST(another_host_that_answers_the_same_question_claims_the_address)
{
    assert_int_equal(claimed_by(MS(1), 7, 8), 8);
}

NAMES_TEST(the_same_host_may_answer_twice)
{
    assert_int_equal(claimed_by(MS(1), 7, 7), 0);
}

NAMES_TEST(an_address_may_move_to_another_host)
{
    assert_int_equal(claimed_by(TCPWHY_S(60), 7, 8), 0);
}

NAMES_TEST(hardware_that_is_not_known_claims_nothing)
{
    assert_int_equal(claimed_by(MS(1), 0, 8), 0);
}

NAMES_TEST(a_syn_long_after_the_answer_did_not_wait_for_it)
{
    arp(0, 1, 2, false);
    arp(MS(500), 2, 1, true);
    assert_null(syn(MS(511), 2));
}

NAMES_TEST(another_hosts_next_hop_is_no_wait)
{
    arp(0, 4, 2, false);
    arp(MS(500), 2, 4, true);
    assert_null(syn(MS(501), 2));
}

NAMES_TEST(a_query_waits_for_its_next_hop_too)
{
    const struct tw_before_syn *b;

    arp(0, 1, 53, false);
    arp(MS(400), 53, 1, true);
    ask(MS(401), 1, TW_DNS_A);
    give(MS(421), 1, TW_DNS_A, 2);
    b = syn(MS(422), 2);
    assert_int_equal(b->lookup_ns, MS(20));
    assert_int_equal(b->hop_ns, MS(400));
    assert_int_equal(b->from_ns, 0);
}

NAMES_TEST(a_flood_of_queries_is_bounded)
{
    struct tw_names *few = tw_names_new(4096);

    for (uint16_t id = 0; id < 1000; id++) {
        uint8_t bytes[] = { 0,
                            1,
                            1,
                            0,
                            0,
                            1,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0,
                            2,
                            (uint8_t)('a' + id % 26),
                            (uint8_t)('a' + id / 26 % 26),
                            0,
                            0,
                            1,
                            0,
                            1 };
        struct tw_segment s = { .tuple = tuple(1, 40000, 53, 53),
                                .payload = tw_bytes(bytes, sizeof bytes) };

        tw_names_take(few, &s, id, id + 1u);
    }
    assert_int_equal(tw_lookups_n(few->lookups), 4);
    assert_true(tw_lookups_dropped(few->lookups) > 0);
    tw_names_free(few);
}

NAMES_TEST(messages_over_tcp_come_in_pieces)
{
    static const uint8_t query[] = { 0, 19, 0, 5, 1,   0, 0, 1, 0, 0, 0,
                                     0, 0,  0, 1, 'a', 0, 0, 1, 0, 1 };
    struct tw_segment s = { .tuple = tuple(1, 40000, 53, TW_DNS_PORT), .seq = 100 };

    for (uint32_t at = 0; at < sizeof query; at += 7) {
        s.payload = tw_bytes(query + at, 7);
        s.len = 7;
        s.seq = 100 + at;
        assert_int_equal(tw_lookups_n(names->lookups), 0);
        tw_names_take_stream(names, &s, 3, TCPWHY_CLIENT, MS(1), ++frame);
    }
    assert_int_equal(tw_lookups_n(names->lookups), 1);
    assert_true(tw_lookups_at(names->lookups, 0)->tcp);
    assert_int_equal(names->partial->len, 0);
}
