/* SPDX-License-Identifier: MIT */
/* Where the path carries nearly all that it can: by what left around a send. */
#include "tests/unit.h"

#include "explain/path/utilization.h"

#define SEGMENT  1000
#define N        300
#define TRIP     TCPWHY_MS(20)
#define PAUSE_AT 100 /* the send before which its sender was silent for long */

/* ACKs of a pause of a second, a millisecond apart. */
#define N_ACKS 1000

struct path {
    struct tw_record record[N_ACKS];
    struct tw_log log;
    struct tw_send send[N];
    struct tw_sender_timeline sends;
    struct tw_rounds rounds;
    struct tw_vantage vantage;
    struct tw_utilization busy;
};

/* A segment each millisecond fills it, but for a silence of a second. */
static void fill(struct path *p)
{
    *p = (struct path) {
        .sends = { .n = N, .mss_bytes = SEGMENT },
        .rounds = { .capacity = SEGMENT * 1000.0, .growth = TW_GROWTH_QUEUES },
        .vantage = { .rtt_min_ns = TRIP },
    };
    p->log.record = p->record;
    p->sends.send = p->send;
    for (unsigned i = 0; i < N; i++) {
        p->send[i].len = SEGMENT;
        p->send[i].sent_ns = (tcpwhy_ns)i * TCPWHY_MS(1) + (i >= PAUSE_AT ? TCPWHY_S(1) : 0);
    }
}

static bool is_busy(struct path *p, uint32_t index)
{
    tcpwhy_ns waited_ns = index > 0 ? p->send[index].sent_ns - p->send[index - 1].sent_ns : 0;

    return tw_utilization_at(&p->busy, &p->log, &p->sends, &p->rounds, &p->vantage, index,
                             waited_ns);
}

TEST(a_path_is_busy_amid_segments_that_fill_it)
{
    struct path p;

    fill(&p);
    assert_false(is_busy(&p, 0));
    assert_true(is_busy(&p, PAUSE_AT / 2));
    assert_false(is_busy(&p, PAUSE_AT));
    assert_true(is_busy(&p, N / 2));
}

/* A segment every every_ns: is the path busy around one in the middle? */
static bool is_busy_with(tcpwhy_ns rtt_ns, tcpwhy_ns every_ns)
{
    struct path p;

    fill(&p);
    p.vantage.rtt_min_ns = rtt_ns;
    for (unsigned i = 0; i < N; i++)
        p.send[i].sent_ns = i * every_ns;
    return is_busy(&p, N / 2);
}

TEST(a_path_that_carries_three_quarters_of_what_it_can_is_busy)
{
    assert_true(is_busy_with(TRIP, TCPWHY_US(1428)));
    assert_false(is_busy_with(TRIP, TCPWHY_US(1429)));
    assert_true(is_busy_with(TCPWHY_US(100), TCPWHY_US(1250)));
    assert_false(is_busy_with(TCPWHY_US(100), TCPWHY_US(1251)));
}

TEST(unsolicited_data_changes_no_answer)
{
    struct path all, one;

    fill(&all);
    for (uint32_t i = 0; i < N; i++) {
        fill(&one);
        assert_int_equal(is_busy(&one, i), is_busy(&all, i));
    }
}

static struct tw_record *add_ack(struct path *p)
{
    struct tw_record *r = &p->record[p->log.n];

    *r = (struct tw_record) { .from = !p->sends.from, .flags = TW_ACK };
    r->time_ns = p->send[PAUSE_AT - 1].sent_ns + (tcpwhy_ns)p->log.n * TCPWHY_MS(1);
    p->log.n++;
    return r;
}

TEST(in_a_silence_of_its_sender_each_ack_tells_of_a_segment)
{
    struct path p;

    for (uint32_t i = 0; i < 2; i++) {
        fill(&p);
        /* A millisecond more than a second passes. */
        while (p.log.n < N_ACKS * 3 / 4 + i)
            add_ack(&p);
        assert_true(is_busy(&p, PAUSE_AT) == (i == 1));
    }
    p.sends.to_sender = TRIP / 2;
    assert_false(is_busy(&p, PAUSE_AT));
    p.sends.to_sender = 0;
    p.rounds.growth = TW_GROWTH_PASSES;
    assert_false(is_busy(&p, PAUSE_AT));
}

/* Three quarters of what the path can carry in a second and a millisecond. */
#define ENOUGH 750750

TEST(an_ack_of_more_tells_of_all_that_is_new)
{
    for (int lacks = 0; lacks < 2; lacks++) {
        /* Behind a hole that stays. */
        struct tw_range sack = { 5 * SEGMENT, 4 * SEGMENT + ENOUGH - lacks };
        struct path p;

        fill(&p);
        add_ack(&p)->ack = SEGMENT;
        add_ack(&p)->ack = ENOUGH - lacks;
        assert_true(is_busy(&p, PAUSE_AT) == !lacks);
        fill(&p);
        p.log.sack = &sack;
        add_ack(&p)->ack = SEGMENT;
        add_ack(&p)->ack = SEGMENT;
        p.record[1].n_sack = 1;
        assert_true(is_busy(&p, PAUSE_AT) == !lacks);
    }
}

TEST(data_tells_nothing_of_pure_acks)
{
    struct path p;

    for (int i = 0; i < 4; i++) {
        fill(&p);
        while (p.log.n < N_ACKS * 3 / 4 + 1)
            add_ack(&p);
        if (i == 1)
            p.record[1].len = 1;
        else if (i == 2)
            p.record[1].from = p.sends.from;
        else if (i == 3)
            p.record[1].frame_class = TCPWHY_CLASS_DUPLICATE_FRAME;
        assert_true(is_busy(&p, PAUSE_AT) == (i == 0));
    }
}

TEST(a_path_that_never_was_full_is_not_busy)
{
    struct path p;

    fill(&p);
    p.rounds.capacity = 0;
    assert_false(is_busy(&p, PAUSE_AT / 2));
}
