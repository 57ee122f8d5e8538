/* SPDX-License-Identifier: MIT */
/* A server that waits itself: whose waits explain whose. */
#include "tests/unit.h"

#include "report/findings/finding_accumulator.h"
#include "report/findings/upstream.h"
#include "tests/unit/made_report.h"

/* A connection whose server thought from one record to the other, or whose client waited so. */
struct made {
    struct tw_connection_row row;
    struct tw_log log;
    struct tw_record record[2];
    struct tw_material material;
};

static void made_row(struct made *m, uint8_t client, uint8_t server, uint16_t port)
{
    memset(m, 0, sizeof *m);
    m->row.stream.client = made_endpoint(client, 40000);
    m->row.stream.server = made_endpoint(server, port);
    m->log.record = m->record;
    m->log.n = 2;
    m->row.log = &m->log;
}

static struct tw_finding_row add_wait_seen(struct tw_upstream *u, enum tcpwhy_vantage place,
                                           uint8_t server, tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    struct tw_finding_row key, full;
    struct made m;

    made_row(&m, 1, server, 80);
    m.row.stream.vantage = place;
    m.row.stream.vantage_confidence = TCPWHY_CERTAIN;
    m.record[0].time_ns = from_ns;
    m.record[1].time_ns = to_ns;
    m.material.span = (struct tw_span) { .cause = TCPWHY_SERVER_THINK,
                                         .party = TCPWHY_PARTY_SERVER,
                                         .from = TCPWHY_SERVER,
                                         .last_record = 1 };
    m.row.weight.material = &m.material;
    m.row.weight.n_material = 1;
    tw_upstream_add(u, &m.row);
    tw_finding_accumulator_describe(&m.row.stream, &m.material.span, &key, &full);
    return key;
}

static struct tw_finding_row add_wait(struct tw_upstream *u, uint8_t server, tcpwhy_ns from_ns,
                                      tcpwhy_ns to_ns)
{
    return add_wait_seen(u, TCPWHY_VANTAGE_UNKNOWN, server, from_ns, to_ns);
}

static void add_loopback_ask(struct tw_upstream *u, tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    struct tw_ask ask = { from_ns, to_ns, to_ns };
    struct made m;

    made_row(&m, 1, 1, 9000);
    m.row.stream.client =
        (struct tcpwhy_endpoint) { { 127, 0, 0, 1 }, .port = 40000, .version = 4 };
    m.row.stream.server = (struct tcpwhy_endpoint) { { 127, 0, 0, 1 }, .port = 9000, .version = 4 };
    m.row.asks = (struct tw_asks) { &ask, 1, 1 };
    tw_upstream_add(u, &m.row);
}

static void add_ask(struct tw_upstream *u, uint8_t client, uint16_t port, tcpwhy_ns from_ns,
                    tcpwhy_ns to_ns)
{
    struct tw_ask ask = { from_ns, to_ns, to_ns };
    struct made m;

    made_row(&m, client, 9, port);
    m.row.asks = (struct tw_asks) { &ask, 1, 1 };
    tw_upstream_add(u, &m.row);
}

/* @return the share of its waits that the host itself waited, in percent; -1: it did not. */
static int relayed(struct tw_upstream *u, const struct tw_finding_row *key)
{
    struct tw_relayed found = { .share = 0 };
    bool is;

    tw_upstream_close(u);
    is = tw_upstream_of(u, key, &found);
    tw_upstream_free(u);
    return is ? (int)(found.share * 100 + 0.5) : -1;
}

TEST(a_host_that_waits_for_another_relays_that_wait)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key = add_wait(u, 2, TCPWHY_MS(100), TCPWHY_MS(351));

    add_ask(u, 2, 9000, TCPWHY_MS(101), TCPWHY_MS(349));
    assert_int_equal(relayed(u, &key), 99);
}

TEST(queries_one_after_the_other_add_up)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key = add_wait(u, 2, TCPWHY_MS(100), TCPWHY_MS(200));

    for (int i = 0; i < 8; i++)
        add_ask(u, 2, 5432, TCPWHY_MS(100 + 10 * i), TCPWHY_MS(109 + 10 * i));
    assert_int_equal(relayed(u, &key), 72);
}

TEST(what_is_asked_over_the_loopback_is_asked_by_the_host_of_the_capture)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key =
        add_wait_seen(u, TCPWHY_VANTAGE_SERVER, 2, TCPWHY_MS(100), TCPWHY_MS(351));

    add_loopback_ask(u, TCPWHY_MS(101), TCPWHY_MS(349));
    assert_int_equal(relayed(u, &key), 99);
}

TEST(the_loopback_of_the_client_explains_no_wait_for_its_server)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key =
        add_wait_seen(u, TCPWHY_VANTAGE_CLIENT, 2, TCPWHY_MS(100), TCPWHY_MS(351));

    add_loopback_ask(u, TCPWHY_MS(101), TCPWHY_MS(349));
    assert_int_equal(relayed(u, &key), -1);
}

TEST(a_wait_of_another_host_explains_nothing)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key = add_wait(u, 2, TCPWHY_MS(100), TCPWHY_MS(350));

    add_ask(u, 3, 9000, TCPWHY_MS(101), TCPWHY_MS(349));
    assert_int_equal(relayed(u, &key), -1);
}

TEST(a_long_poll_that_began_before_explains_nothing)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key = add_wait(u, 2, TCPWHY_MS(100), TCPWHY_MS(350));

    add_ask(u, 2, 9000, TCPWHY_MS(50), TCPWHY_MS(340));
    assert_int_equal(relayed(u, &key), -1);
}

TEST(an_answer_behind_the_own_one_explains_nothing)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key = add_wait(u, 2, TCPWHY_MS(100), TCPWHY_MS(350));

    add_ask(u, 2, 9000, TCPWHY_MS(101), TCPWHY_MS(360));
    assert_int_equal(relayed(u, &key), -1);
}

TEST(a_short_question_explains_little)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key = add_wait(u, 2, TCPWHY_MS(100), TCPWHY_MS(350));

    add_ask(u, 2, 9000, TCPWHY_MS(101), TCPWHY_MS(150));
    assert_int_equal(relayed(u, &key), -1);
}

/* A busy host: each of ten waits for it sees the same question behind it. */
TEST(one_question_explains_one_of_ten_waits)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key = { .cause = TCPWHY_CAUSE_NONE };

    for (int i = 0; i < 10; i++)
        key = add_wait(u, 2, TCPWHY_MS(100), TCPWHY_MS(350));
    add_ask(u, 2, 9000, TCPWHY_MS(101), TCPWHY_MS(349));
    assert_int_equal(relayed(u, &key), -1);
}

TEST(of_too_many_waits_the_longest_are_kept)
{
    struct tw_upstream *u = tw_upstream_new(4);
    struct tw_finding_row key = add_wait(u, 2, TCPWHY_MS(100), TCPWHY_MS(600));

    add_ask(u, 2, 9000, TCPWHY_MS(101), TCPWHY_MS(599));
    for (int i = 0; i < 20; i++)
        add_ask(u, 3, 9000, TCPWHY_MS(10 * i), TCPWHY_MS(10 * i + 6));
    assert_true(tw_upstream_bytes(u) < 1024);
    assert_int_equal(relayed(u, &key), 100);
}

/* A question in the first of three records, and the client's close in the last. */
static struct tw_asks asks_of(bool one_way, struct tw_record record[3])
{
    struct tw_exchange e = { .one_way = one_way,
                             .request_from = 1,
                             .request_to = 100,
                             .response_first = TW_NO_RECORD,
                             .response_last = TW_NO_RECORD };
    const struct tw_exchanges exchanges = { .exchange = &e, .n = 1 };
    const struct tw_setup setup = { .outcome = TW_SETUP_UNSEEN };
    const struct tw_log log = { .record = record, .n = 3 };
    struct tw_asks asks;

    tw_asks_read(&log, &exchanges, &setup, &asks);
    return asks;
}

TEST(who_gives_up_waited_until_then)
{
    struct tw_record record[3] = { { .time_ns = TCPWHY_S(1) },
                                   { .time_ns = TCPWHY_S(2) },
                                   { .time_ns = TCPWHY_S(61), .flags = TW_FIN } };
    struct tw_asks asks = asks_of(false, record);

    assert_int_equal(asks.n, 1);
    assert_int_equal(asks.ask[0].from_ns, TCPWHY_S(1));
    assert_int_equal(asks.ask[0].to_ns, TCPWHY_S(61));
    tw_asks_clear(&asks);
    asks = asks_of(true, record);
    assert_int_equal(asks.n, 0);
}

/* Six requests come at once, and each is answered every_ns after the one before; a seventh comes
 * later. @return the reported service time in ms; 0: none. */
static int queued(tcpwhy_ns first_ns, tcpwhy_ns every_ns)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_queued found = { .service_ns = 0 };
    struct tw_finding_row key = add_wait(u, 2, 0, first_ns);

    for (int i = 1; i < 6; i++)
        add_wait(u, 2, TCPWHY_MS(i), first_ns + i * every_ns);
    add_wait(u, 3, TCPWHY_MS(10), TCPWHY_MS(20));
    add_wait(u, 2, TCPWHY_S(60), TCPWHY_S(60) + first_ns);
    tw_upstream_close(u);
    if (tw_upstream_queued(u, &key.endpoint, &found)) {
        assert_int_equal(found.n, 7);
        assert_int_equal(found.waited, 5);
    }
    tw_upstream_free(u);
    return (int)(found.service_ns / TCPWHY_MS(1));
}

TEST(requests_that_are_answered_one_by_one_wait_for_each_other)
{
    assert_int_equal(queued(TCPWHY_MS(400), TCPWHY_MS(400)), 400);
    assert_int_equal(queued(TCPWHY_MS(400), TCPWHY_MS(330)), 330);
}

TEST(requests_that_are_served_together_wait_for_nobody)
{
    assert_int_equal(queued(TCPWHY_MS(400), TCPWHY_MS(1)), 0);
    assert_int_equal(queued(TCPWHY_MS(400), TCPWHY_MS(200)), 0); /* by two */
}

TEST(answers_at_a_pace_that_no_request_alone_takes_are_no_queue)
{
    assert_int_equal(queued(TCPWHY_MS(10), TCPWHY_MS(400)), 0);
}

/* A host asks host 53 for the name of address 1, twice, five seconds apart; answered, or not. */
static struct tw_lookups *looked_up(uint8_t host, tcpwhy_ns at_ns, tcpwhy_ns answered_ns)
{
    struct tw_tuple tuple = { .address = { { 10, 9, 0, host }, { 10, 9, 0, 53 } },
                              .port = { 33000, TW_DNS_PORT },
                              .version = 4 };
    const struct tw_tuple back = { .address = { { 10, 9, 0, 53 }, { 10, 9, 0, host } },
                                   .port = { TW_DNS_PORT, 33000 },
                                   .version = 4 };
    struct tw_dns_message m = { .id = 7, .type = TW_DNS_PTR, .name = "1.0.9.10.in-addr.arpa" };
    struct tw_lookups *l = tw_lookups_new(9);

    tw_lookups_take(l, &tuple, &m, false, at_ns, 1);
    if (answered_ns == TCPWHY_NS_UNKNOWN) {
        tw_lookups_take(l, &tuple, &m, false, at_ns + TCPWHY_S(5), 2);
        return l;
    }
    m.response = true;
    tw_lookups_take(l, &back, &m, false, answered_ns, 2);
    return l;
}

/* @return as relayed() does, of a wait of 10 s for host 2; *named: it looked up a name. */
static int looks_up(struct tw_lookups *l, bool *named)
{
    struct tw_upstream *u = tw_upstream_new(100);
    struct tw_finding_row key = add_wait(u, 2, TCPWHY_S(100), TCPWHY_S(110));
    struct tw_relayed found = { .share = 0 };
    bool is;

    tw_upstream_add_lookups(u, l);
    tw_upstream_close(u);
    is = tw_upstream_of(u, &key, &found);
    *named = is && found.name && strcmp(found.name, "1.0.9.10.in-addr.arpa") == 0 &&
             found.behind.port == TW_DNS_PORT;
    tw_upstream_free(u);
    tw_lookups_free(l);
    return is ? (int)(found.share * 100 + 0.5) : -1;
}

TEST(a_host_that_looks_up_its_client_waits_for_the_resolver)
{
    bool named;

    assert_int_equal(looks_up(looked_up(2, TCPWHY_S(100), TCPWHY_NS_UNKNOWN), &named), 100);
    assert_true(named);
    assert_int_equal(looks_up(looked_up(2, TCPWHY_S(101), TCPWHY_S(107)), &named), 60);
    assert_true(named);
}

TEST(a_lookup_that_was_answered_soon_or_is_of_another_host_explains_nothing)
{
    bool named;

    assert_int_equal(looks_up(looked_up(2, TCPWHY_S(101), TCPWHY_S(102)), &named), -1);
    assert_int_equal(looks_up(looked_up(3, TCPWHY_S(100), TCPWHY_NS_UNKNOWN), &named), -1);
}
