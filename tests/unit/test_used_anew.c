/* SPDX-License-Identifier: MIT */
/* A five-tuple that is used anew, by a connection whose SYN the capture lacks. */
#include "tests/unit.h"

#include "tests/unit/talk.h"

#define BYTES 3000

/* A connection that both close. */
static void open_and_close(struct talk *t)
{
    talk_open(t, C, 1000);
    talk_data(t, 2000, C, 100);
    for (int i = 0; i < BYTES / 1000; i++)
        talk_data(t, 3000 + i, S, 1000);
    talk(t, 3100, C, 0, TW_ACK | TW_FIN);
    talk(t, 4100, S, 0, TW_ACK | TW_FIN);
    talk_ack(t, 4110, C);
}

/* The next one by the same ports, from its SYN/ACK on, whose numbers are so far from the last. */
static void talk_anew(struct talk *t, uint32_t away)
{
    t->next[C] += away;
    t->next[S] += away + 1000;
    talk(t, 9000000, S, 0, TW_SYN | TW_ACK);
}

TEST(a_five_tuple_reused_after_its_connection_was_closed_shows_no_hole)
{
    struct talk t;

    open_and_close(&t);
    struct tw_connection *c = t.last.connection;
    c->past.row = 0;
    tw_tracker_take(t.tracker, c);
    tw_connection_free(c);
    talk_anew(&t, 0x70000000);
    talk_data(&t, 9001010, C, 100);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_false(t.last.facts & TW_FACT_HOLE_BEFORE);
    talk_data(&t, 9002000, S, 1000);
    assert_int_equal(t.last.frame_class, TCPWHY_CLASS_DATA);
    assert_int_equal(t.last.connection->stream, 0);
    talk_close(&t);
}
