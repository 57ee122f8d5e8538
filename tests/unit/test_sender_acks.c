/* SPDX-License-Identifier: MIT */
/* The ACKs that a sender had when it sent, as its own segments show. */
#include "tests/unit.h"

#include "explain/sender/sender_acks.h"
#include "explain/sender/sender_timeline.h"

#define MSS 1000

enum { SAID, ANSWER, MORE, AGAIN, ACK_OF_ALL, N_RECORDS };

/* At the server, no timestamps: it sends data, the client's data acknowledges that, and the server
 * sends more a millisecond later, which acknowledges part of the client's data; then all of it. */
struct made {
    struct tw_record record[N_RECORDS];
    struct tw_send send[2];
    struct tw_log log;
    struct tw_sender_timeline sends;
    struct tw_vantage vantage;
    struct tw_prescan prescan;
    struct tw_scratch scratch;
};

static void make(struct made *m, int64_t ack)
{
    *m = (struct made) {
        .record = { { .from = TCPWHY_SERVER, .seq = 1, .len = 100, .ack = 1 },
                    { .from = TCPWHY_CLIENT, .seq = 1, .len = 120, .ack = 101 },
                    { .from = TCPWHY_SERVER, .seq = 101, .len = 100, .ack = ack },
                    { .from = TCPWHY_CLIENT, .seq = 121, .ack = 101 },
                    { .from = TCPWHY_SERVER, .seq = 201, .ack = 121 } },
        .send = { { .end = 101, .record = 0, .len = 100, .is = TW_SEND_FRESH | TW_SEND_PARTIAL },
                  { .end = 201, .record = 2, .len = 100, .is = TW_SEND_FRESH | TW_SEND_PARTIAL } },
    };
    for (int i = 0; i < N_RECORDS; i++) {
        m->record[i].flags = TW_ACK | TW_PSH;
        m->record[i].frame_class = m->record[i].len > 0 ? TCPWHY_CLASS_DATA : TCPWHY_CLASS_ACK;
        m->record[i].window_bytes = 50 * MSS;
        m->record[i].time_ns = TCPWHY_MS(19 + i);
    }
    m->record[SAID].time_ns = 0;
    m->log = (struct tw_log) { .record = m->record, .n = N_RECORDS };
    m->sends = (struct tw_sender_timeline) {
        .from = TCPWHY_SERVER, .record = m->record, .send = m->send, .n = 2, .mss_bytes = MSS
    };
    m->vantage =
        (struct tw_vantage) { .to_side_ns = { TCPWHY_MS(10), 0 }, .rtt_min_ns = TCPWHY_MS(20) };
}

static int64_t acked(struct made *m)
{
    tw_sender_acks_apply(&m->sends, &m->log, &m->prescan, &m->vantage, &m->scratch);
    tw_scratch_clear(&m->scratch);
    return m->send[1].acked;
}

#define MADE_TEST(name, make) TEST_WITH(name, struct made, m, make, (void)m)

MADE_TEST(an_ack_of_data_includes_the_ack_that_it_carried, make(m, 121))
{
    assert_int_equal(acked(m), 101);
}

MADE_TEST(lost_data_leaves_its_ack_unheard, make(m, 1))
{
    assert_int_equal(acked(m), 0);
    make(m, 120);
    assert_int_equal(acked(m), 0);
}

/* Something before it was lost: then data behind that is not acknowledged, and its ACK is heard. */
MADE_TEST(data_behind_a_hole_tells_nothing, make(m, 1))
{
    m->record[ANSWER].seq = 2;
    assert_int_equal(acked(m), 101);
}

MADE_TEST(a_full_receiver_still_hears_the_ack, make(m, 1))
{
    m->record[MORE].window_bytes = 0;
    assert_int_equal(acked(m), 101);
}

/* The segment's ACK may be lost as well, but later ACKs come. */
MADE_TEST(a_lost_segment_was_not_on_the_wire, make(m, 1))
{
    m->record[AGAIN].seq = 1;
    m->record[AGAIN].len = 120;
    assert_int_equal(acked(m), 101);
    make(m, 1);
    m->record[ACK_OF_ALL].ack = 120; /* never */
    assert_int_equal(acked(m), 101);
}
