/* SPDX-License-Identifier: MIT */
/* Numbers of 32 bits as offsets of 64: where they wrap, where they leap, and where they are forged.
 */
#include "tests/unit.h"

#include "tests/unit/talk.h"

TEST(a_base_is_waited_for_until_a_length_is_known)
{
    struct talk t;

    talk_init(&t);
    for (int from = C; from <= S; from++) {
        struct tw_segment s = talk_segment(&t, from, t.next[from], 0, TW_ACK);

        s.facts = TW_SEG_NO_LENGTH;
        talk_push(&t, from, &s);
    }
    talk_data(&t, 10, C, 100);
    talk_data(&t, 20, S, 100);
    t.next[C] = 77777;
    talk(&t, 30, C, 0, TW_SYN);
    assert_int_equal(t.last.connection->first_frame, t.last.frame);
    talk_close(&t);
}
