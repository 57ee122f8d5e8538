/* SPDX-License-Identifier: MIT */
/*
 * A lookup in a log finds the same as a search through all of it, however long the log is and
 * however far apart the question and the answer are.
 */
#include "base/memory.h"
#include "tests/unit.h"

#include <glib.h>

#include "explain/sender/ack_index.h"
#include "explain/loss/retransmit_evidence.h"

#define LONGEST   700u
#define QUESTIONS 400

struct made {
    struct tw_log log;
    struct tw_record record[LONGEST];
    struct tw_log_icmp icmp[LONGEST];
    struct tw_scratch scratch;
};

/* ACKs of both sides that mostly move on, and now and then tell of a loss. */
static void make(struct made *m, GRand *dice, uint32_t n)
{
    m->scratch = (struct tw_scratch) { 0 };
    m->log = (struct tw_log) { .record = m->record, .n = n, .icmp = m->icmp };
    for (uint32_t i = 0; i < n; i++) {
        bool told = g_rand_int_range(dice, 0, 150) == 0;

        m->record[i] = (struct tw_record) {
            .time_ns = TCPWHY_MS(i),
            .from = (uint8_t)g_rand_int_range(dice, 0, 2),
            .flags = g_rand_int_range(dice, 0, 8) ? TW_ACK : TW_RST,
            .ack = i + g_rand_int_range(dice, 0, 40),
            .frame_class = told ? TCPWHY_CLASS_DUPLICATE_ACK : TCPWHY_CLASS_ACK,
        };
        if (g_rand_int_range(dice, 0, 100) == 0)
            m->icmp[m->log.n_icmp++] = (struct tw_log_icmp) {
                .time_ns = TCPWHY_MS(i),
                .kind = g_rand_boolean(dice) ? TW_ICMP_TOO_BIG : TW_ICMP_UNREACHABLE,
                .to = g_rand_boolean(dice) ? TCPWHY_CLIENT : TCPWHY_SERVER,
            };
    }
}

/* @return the log's length when there is none. */
static uint32_t search(const struct tw_log *log, enum tcpwhy_side from, uint32_t record,
                       int64_t end)
{
    for (; record < log->n; record++)
        if (log->record[record].from == from && (log->record[record].flags & TW_ACK) &&
            log->record[record].ack >= end)
            break;
    return record;
}

static void each_log(void (*ask)(struct made *m, GRand *dice))
{
    GRand *dice = g_rand_new_with_seed(1);
    struct made *m = tw_new(struct made, 1);

    for (uint32_t n = 1; n < LONGEST; n += n < 70 ? 1 : 79) {
        make(m, dice, n);
        ask(m, dice);
        tw_scratch_clear(&m->scratch);
    }
    tw_free(m);
    g_rand_free(dice);
}

static void ask_for_acks(struct made *m, GRand *dice)
{
    struct tw_ack_index index;

    tw_ack_index_build(&m->log, TCPWHY_SERVER, &m->scratch, &index);
    for (int i = 0; i < QUESTIONS; i++) {
        uint32_t record = (uint32_t)g_rand_int_range(dice, 0, (gint32)m->log.n + 1);
        int64_t end = g_rand_int_range(dice, 0, (gint32)m->log.n + 45);

        assert_int_equal(tw_ack_index_find(&index, &m->log, record, end),
                         search(&m->log, TCPWHY_SERVER, record, end));
    }
}

TEST(the_first_ack_of_an_offset_is_looked_up)
{
    each_log(ask_for_acks);
}

/* Near ones are looked for one by one, until one is far. */
static void ask_for_acks_of_repeats(struct made *m, GRand *dice)
{
    struct tw_retransmit_evidence e;

    tw_retransmit_evidence_begin(&e, &m->log, TCPWHY_CLIENT, &m->scratch);
    for (int i = 0; i < QUESTIONS; i++) {
        uint32_t record = (uint32_t)g_rand_int_range(dice, 0, (gint32)m->log.n);
        int64_t end = record + g_rand_int_range(dice, 0, i < QUESTIONS / 2 ? 60 : 400);
        uint32_t want = search(&m->log, TCPWHY_SERVER, record + 1, end);
        bool never;

        assert_int_equal(tw_retransmit_evidence_ack(&e, record, end, &never),
                         MIN(want, m->log.n - 1));
        assert_int_equal(never, want == m->log.n);
    }
}

TEST(the_ack_of_a_repeat_is_found_near_or_far)
{
    each_log(ask_for_acks_of_repeats);
}

/* The client's repeats, each some records after the last. */
static void ask_for_losses(struct made *m, GRand *dice)
{
    struct tw_retransmit_evidence e;

    tw_retransmit_evidence_begin(&e, &m->log, TCPWHY_CLIENT, &m->scratch);
    for (uint32_t to = 0; to < m->log.n; to += (uint32_t)g_rand_int_range(dice, 1, 60)) {
        uint32_t from = (uint32_t)g_rand_int_range(dice, MAX(0, (gint32)to - 170), (gint32)to + 1);
        bool told = false;

        for (uint32_t i = from + 1; i < to; i++)
            told |= m->record[i].from == TCPWHY_SERVER &&
                    m->record[i].frame_class == TCPWHY_CLASS_DUPLICATE_ACK;
        assert_int_equal(tw_retransmit_evidence_of_loss(&e, from, to), told);
    }
}

TEST(loss_reports_are_found_near_and_far)
{
    each_log(ask_for_losses);
}

static void ask_routers(struct made *m, GRand *dice)
{
    struct tw_retransmit_evidence e;

    tw_retransmit_evidence_begin(&e, &m->log, TCPWHY_CLIENT, &m->scratch);
    for (int i = 0; i < QUESTIONS; i++) {
        uint32_t to = (uint32_t)g_rand_int_range(dice, 0, (gint32)m->log.n);
        uint32_t from = (uint32_t)g_rand_int_range(dice, MAX(0, (gint32)to - 90), (gint32)to + 1);
        bool told = false;

        for (uint32_t k = 0; k < m->log.n_icmp; k++)
            told |= m->icmp[k].kind == TW_ICMP_TOO_BIG && m->icmp[k].to == TCPWHY_CLIENT &&
                    m->icmp[k].time_ns >= m->record[from].time_ns &&
                    m->icmp[k].time_ns <= m->record[to].time_ns;
        assert_int_equal(tw_retransmit_evidence_too_big(&e, from, to), told);
    }
}

TEST(icmp_too_big_counts_only_for_the_side_whose_segment_it_quotes)
{
    each_log(ask_routers);
}
