/* SPDX-License-Identifier: MIT */
/* Duplicate data that a receiver reports, matched with the retransmissions. */
#include "tests/unit.h"

#include "explain/loss/dsack.h"

#define MSS       1000
#define N_RECORDS 40

/* A sender of segments, some of them more than once, and what is said of them. */
struct made {
    struct tw_record record[N_RECORDS];
    struct tw_range sack[N_RECORDS];
    struct tw_send send[N_RECORDS];
    struct tw_log log;
    struct tw_sender_timeline sends;
    struct tw_scratch scratch;
    struct tw_dsack copies;
};

static void begin(struct made *m)
{
    *m = (struct made) { .log.n = 0 };
    m->log.record = m->record;
    m->log.sack = m->sack;
    m->sends = (struct tw_sender_timeline) {
        .from = TCPWHY_SERVER, .record = m->record, .send = m->send, .n = 0
    };
}

static uint32_t send_segment(struct made *m, int segment, uint8_t is)
{
    uint32_t record = m->log.n++;

    m->record[record] = (struct tw_record) {
        .from = TCPWHY_SERVER, .flags = TW_ACK, .seq = 1 + segment * MSS, .len = MSS
    };
    m->send[m->sends.n++] =
        (struct tw_send) { .end = 1 + (segment + 1) * MSS, .record = record, .len = MSS, .is = is };
    m->sends.repeats += is == TW_SEND_REPEAT;
    return record;
}

/* The client says that it had these before (RFC 2883). */
static void report(struct made *m, int segment, int segments)
{
    uint32_t record = m->log.n++;

    m->record[record] =
        (struct tw_record) { .flags = TW_ACK, .n_sack = 1, .facts = TW_FACT_DSACK, .sack = record };
    m->sack[record] = (struct tw_range) { 1 + segment * MSS, 1 + (segment + segments) * MSS };
}

/* An ACK of this many segments. */
static struct tw_record *acknowledge(struct made *m, int segments)
{
    struct tw_record *r = &m->record[m->log.n++];

    *r = (struct tw_record) { .flags = TW_ACK,
                              .ack = 1 + segments * MSS,
                              .window_bytes = 50000,
                              .frame_class = TCPWHY_CLASS_ACK };
    return r;
}

static enum tw_dsack_reported reported(struct made *m, uint32_t record)
{
    enum tw_dsack_reported said;

    tw_dsack_build(&m->log, &m->sends, &m->scratch, &m->copies);
    said = tw_dsack_reported(&m->copies, &m->record[record], record);
    tw_scratch_clear(&m->scratch);
    return said;
}

/* @return the second time's record. */
static uint32_t send_twice(struct made *m)
{
    begin(m);
    send_segment(m, 0, TW_SEND_FRESH);
    return send_segment(m, 0, TW_SEND_REPEAT);
}

TEST(a_report_behind_a_repeat_is_of_it)
{
    struct made m;
    uint32_t again = send_twice(&m);

    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    report(&m, 0, 1);
    assert_int_equal(reported(&m, again), TW_DSACK_ALL);
    again = send_segment(&m, 0, TW_SEND_REPEAT); /* this one came after that */
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
}

TEST(a_report_of_others_is_none_of_it)
{
    struct made m;

    begin(&m);
    for (int i = 0; i < 3; i++)
        send_segment(&m, i, TW_SEND_FRESH);
    uint32_t again = send_segment(&m, 1, TW_SEND_REPEAT);
    report(&m, 0, 1);
    report(&m, 2, 1);
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    report(&m, 0, 3);
    assert_int_equal(reported(&m, again), TW_DSACK_ALL);
}

TEST(as_many_copies_as_were_sent_must_be_reported)
{
    struct made m;
    uint32_t again, last;

    begin(&m);
    for (int i = 4; i >= 0; i--)
        send_segment(&m, i, TW_SEND_FRESH);
    again = send_segment(&m, 1, TW_SEND_REPEAT);
    for (int i = 4; i >= 0; i--)
        last = send_segment(&m, i, TW_SEND_REPEAT);
    report(&m, 1, 1);
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    report(&m, 1, 1);
    assert_int_equal(reported(&m, again), TW_DSACK_ALL);
    assert_int_equal(reported(&m, last), TW_DSACK_LACK);
}

/* ---- without a word ------------------------------------------------------------------------ */

/* Two segments, both acknowledged, and one that comes again; so does the ACK. */
static uint32_t say_again(struct made *m, int copies)
{
    uint32_t again = 0;

    begin(m);
    send_segment(m, 0, TW_SEND_FRESH);
    send_segment(m, 1, TW_SEND_FRESH);
    for (int i = 0; i < copies; i++)
        again = send_segment(m, 1, TW_SEND_REPEAT);
    acknowledge(m, 2);
    return again - (uint32_t)copies + 1;
}

TEST(the_same_ack_again_answers_a_copy)
{
    struct made m;
    uint32_t again = say_again(&m, 1);

    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    acknowledge(&m, 2);
    assert_int_equal(reported(&m, again), TW_DSACK_ALL);
    again = say_again(&m, 2);
    acknowledge(&m, 2);
    assert_int_equal(reported(&m, again), TW_DSACK_MAY);
    again = say_again(&m, 3);
    acknowledge(&m, 2);
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
}

TEST(one_that_tells_anything_new_does_not)
{
    struct made m;

    uint32_t again = say_again(&m, 1);
    acknowledge(&m, 2)->window_bytes++;
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    again = say_again(&m, 1);
    acknowledge(&m, 2)->len = 1;
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    again = say_again(&m, 1);
    acknowledge(&m, 2)->flags |= TW_FIN;
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    again = say_again(&m, 1);
    acknowledge(&m, 2)->n_sack = 1; /* of what did not pass here */
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    again = say_again(&m, 1);
    acknowledge(&m, 2)->frame_class = TCPWHY_CLASS_KEEP_ALIVE_ACK;
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    again = say_again(&m, 1);
    acknowledge(&m, 1); /* of an old one, that is late */
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    again = say_again(&m, 1);
    send_segment(&m, 2, TW_SEND_FRESH); /* which may have come out of order */
    acknowledge(&m, 2);
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
}

TEST(the_first_of_its_kind_says_nothing_again)
{
    struct made m;
    uint32_t again = send_twice(&m);

    acknowledge(&m, 1);
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
}

TEST(an_ack_that_echoes_another_segment_answers_that)
{
    struct made m;
    uint32_t again = say_again(&m, 1);
    struct tw_record *ack = acknowledge(&m, 2);

    m.record[again].options = TW_OPT_TIMESTAMP;
    m.record[again].tsval = 77;
    ack->tsecr = 76;
    assert_int_equal(reported(&m, again), TW_DSACK_ALL); /* it echoes nothing */
    ack->options = TW_OPT_TIMESTAMP;
    assert_int_equal(reported(&m, again), TW_DSACK_LACK);
    ack->tsecr = 77;
    assert_int_equal(reported(&m, again), TW_DSACK_ALL);
}
