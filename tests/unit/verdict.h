/* SPDX-License-Identifier: MIT */
/*
 * The confidence of an explanation in the first span of a cause, and a check that the spans leave
 * out no time.
 */
#ifndef TW_TESTS_UNIT_VERDICT_H
#define TW_TESTS_UNIT_VERDICT_H

#include "tests/unit/talk.h"

#define assert_sure(t, cause)           assert_confidence(t, cause, TCPWHY_CERTAIN, TCPWHY_CAUSE_NONE)
#define assert_doubted(t, cause, rival) assert_confidence(t, cause, TCPWHY_LIKELY, rival)

static inline void assert_confidence(const struct talk *t, enum tcpwhy_cause cause,
                                     enum tcpwhy_confidence confidence, enum tcpwhy_cause rival)
{
    const struct tw_span *span = talk_span(t, cause);

    assert_non_null(span);
    assert_int_equal(span->confidence, confidence);
    assert_int_equal(span->rival, rival);
}

/* Spans follow each other without a hole and add up to the life. */
static inline void assert_complete(const struct talk *t)
{
    const struct tw_explanation *x = &t->explanation;

    assert_true(x->n_spans > 0);
    for (uint32_t i = 1; i < x->n_spans; i++)
        assert_int_equal(x->span[i].from_ns, x->span[i - 1].to_ns);
    assert_int_equal(x->span[0].from_ns, t->log->record[0].time_ns);
    assert_int_equal(x->span[x->n_spans - 1].to_ns, t->log->record[t->log->n - 1].time_ns);
}

#endif
