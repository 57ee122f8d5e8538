/* SPDX-License-Identifier: MIT */
/*
 * The arbiter's verdict on a gap: the hypothesis that it chose, and the confidence.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_CLAIM_H
#define TW_EXPLAIN_ATTRIBUTE_CLAIM_H

#include "explain/model/gap.h"

struct tw_claim {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    enum tcpwhy_side from;    /* whose data waited */
    tcpwhy_ns from_ns, to_ns; /* the part that is explained; the rest is wire */
    uint32_t key_record;
};

/* It may be that as well. */
static inline void tw_claim_add_rival(struct tw_claim *c, enum tcpwhy_cause rival)
{
    c->confidence = TCPWHY_LIKELY;
    c->rival = rival;
}

#endif
