/* SPDX-License-Identifier: MIT */
/*
 * How sure an explanation is of the first span of a cause.
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

#endif
