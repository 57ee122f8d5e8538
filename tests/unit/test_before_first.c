/* SPDX-License-Identifier: MIT */
/*
 * Times count from the file's first frame, and a connection may lie before it: files that were
 * written one behind the other, several interfaces. It is told as any other is.
 */
#include "base/counts.h"
#include "tests/unit.h"

#include "tests/unit/talk.h"

#define RTT_US  15000
#define ANSWERS 8
#define ANSWER  14u /* segments: four more than a first window holds */

/* At the server: questions that are answered at once, each frame with a timestamp. */
static void answers_from(struct talk *t, int64_t began_us)
{
    uint32_t server = 5000, client = 9000;

    talk_init(t);
    talk_stamped(t, began_us, C, 0, TW_SYN, client, 0);
    talk_stamped(t, began_us + 10, S, 0, TW_SYN | TW_ACK, server, client);
    for (unsigned n = 0; n < ANSWERS; n++) {
        int64_t at_us = began_us + (2 * n + 1) * RTT_US;

        client += 2 * RTT_US / 1000;
        talk_stamped(t, at_us, C, 0, TW_ACK, client, server);
        talk_stamped(t, at_us + 10, C, 100, TW_ACK | TW_PSH, client, server);
        server += 2 * RTT_US / 1000;
        for (unsigned i = 0; i < ANSWER; i++)
            talk_stamped(t, at_us + 100 + i + (i < ANSWER - 4 ? 0 : RTT_US), S, TALK_MSS,
                         i == ANSWER - 1 ? TW_ACK | TW_PSH : TW_ACK, server, client);
    }
    talk_explain(t);
}

TEST(times_before_the_first_frame_are_charged_like_later_ones)
{
    struct talk behind, before;

    answers_from(&behind, 0);
    answers_from(&before, INT64_C(-1000000000));
    for (int cause = 0; cause < TW_N_CAUSES; cause++)
        assert_int_equal(talk_charged(&before, cause), talk_charged(&behind, cause));
    assert_int_equal(before.explanation.n_spans, behind.explanation.n_spans);
    talk_close(&before);
    talk_close(&behind);
}
