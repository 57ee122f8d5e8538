/* SPDX-License-Identifier: MIT */
/* Assignment of frames to connections, and of the client's role. */
#include "tests/unit.h"

#include "tests/unit/talk.h"
#include "track/service_ports.h"

#define TALK_TEST(name, make) TEST_WITH(name, struct talk, t, make, talk_close(t))

TALK_TEST(a_syn_with_another_number_begins_a_new_stream, talk_open(t, C, 1000))
{
    assert_int_equal(t->last.connection->stream, 0);
    t->next[C] = t->isn[C] = 777000;
    talk(t, 90000, C, 0, TW_SYN);
    assert_int_equal(t->last.connection->first_frame, t->last.frame);
    assert_int_equal(t->last.connection->stream, 1);
    assert_true(t->last.connection->reused);
    assert_ptr_equal(t->last.connection->supersedes, tw_tracker_first(t->tracker));
}

TALK_TEST(a_syn_that_repeats_stays_in_its_stream, talk_init(t))
{
    talk(t, 0, C, 0, TW_SYN);
    talk_syn_again(t, 1000000);
    assert_int_not_equal(t->last.connection->first_frame, t->last.frame);
    assert_true(t->last.facts & TW_FACT_SEEN_BEFORE);
}

/* Of a connection between two ends whose addresses differ in that byte. */
static uint32_t stream_both_ways(struct tw_tracker *tracker, uint8_t version, int byte)
{
    struct tw_segment s = { .tuple = { .version = version, .port = { 50000, 50000 } },
                            .flags = TW_SYN };
    struct tw_tracked there, back;

    s.tuple.address[0][byte] = 1;
    tw_tracker_push(tracker, &s, 0, 1, &there);
    assert_int_equal(there.from, TCPWHY_CLIENT);
    s.tuple.address[0][byte] = 0;
    s.tuple.address[1][byte] = 1;
    s.flags = TW_SYN | TW_ACK;
    tw_tracker_push(tracker, &s, 0, 2, &back);
    assert_int_equal(back.from, TCPWHY_SERVER);
    assert_ptr_equal(back.connection, there.connection);
    return there.connection->stream;
}

TEST(each_byte_of_an_address_counts)
{
    struct tw_tracker *tracker = tw_tracker_new(false);
    uint32_t next = 0;

    for (int byte = 0; byte < 4; byte++)
        assert_int_equal(stream_both_ways(tracker, 4, byte), next++);
    for (int byte = 0; byte < 16; byte++)
        assert_int_equal(stream_both_ways(tracker, 6, byte), next++);
    tw_tracker_free(tracker);
}

/* Without a SYN the low port is the server's, whoever speaks first. */
TALK_TEST(roles_are_inferred_from_ports_midstream, talk_init(t))
{
    talk_data(t, 0, S, 100);
    assert_true(t->last.connection->roles_inferred);
    assert_int_equal(t->last.from, S);
    assert_int_equal(t->last.connection->tuple.port[C], 40000);
    assert_int_equal(t->last.window_bytes, ~(int64_t)TALK_WINDOW);
}

TEST(services_that_are_known_live_anywhere)
{
    const struct {
        uint16_t service, client;
    } pairs[] = { { 2049, 697 },
                  { 44818, 3033 },
                  { 20000, 1128 },
                  { 80, 3306 },
                  { 512, 511 + 1024 },
                  { 3389, 40000 },
                  { 3306, 44818 },
                  /* by what no stack gives to clients */
                  { 5050, 1634 },
                  { 5001, 5000 },
                  { 32767, 1024 },
                  { 3306, 5050 } };

    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_true(tw_is_service_port(pairs[i].service, pairs[i].client));
        assert_false(tw_is_service_port(pairs[i].client, pairs[i].service));
    }
    /* Whoever has a port of the first 512 listens there. */
    assert_true(tw_is_service_port(511, 2049));
    assert_false(tw_is_service_port(2049, 511));
    assert_false(tw_is_service_port(40000, 40001));
    assert_false(tw_is_service_port(2049, 3306));
    assert_false(tw_is_service_port(5001, 5050));
}

TEST(with_two_client_ports_the_roles_are_guessed)
{
    const struct {
        uint16_t client, server;
        bool guess;
    } pairs[] = {
        { 40000, 80, false },   { 1024, 1023, false },   { 44818, 1024, true },
        { 44818, 4309, true },  { 44818, 5000, true },   { 44818, 5001, false },
        { 49151, 3307, true },  { 49152, 3307, false },  { 32768, 32767, false },
        { 20001, 1128, true },  { 50000, 49151, false }, { 50000, 49152, true },
        { 40000, 40001, true }, { 49151, 3306, false },  { 1128, 20000, false },
    };
    struct tw_connection c = { .roles_inferred = true };

    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        c.tuple.port[C] = pairs[i].client;
        c.tuple.port[S] = pairs[i].server;
        assert_int_equal(tw_connection_guesses_roles(&c), pairs[i].guess);
    }
    c.roles_inferred = false;
    assert_false(tw_connection_guesses_roles(&c));
}
