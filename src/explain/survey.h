/* SPDX-License-Identifier: MIT */
/*
 * What a first look at all records tells, so that the parts that come after leave out what the log
 * cannot need and know how much room the rest takes.
 */
#ifndef TW_EXPLAIN_SURVEY_H
#define TW_EXPLAIN_SURVEY_H

#include "explain/explain.h"

struct tw_survey {
    unsigned facts;                             /* TW_FACT_* of any record */
    uint32_t n_records[2];                      /* of a side: no fewer than its sends */
    uint32_t first_stamped[2], last_stamped[2]; /* a side's first and last record that tells its
                                                   clock (RFC 7323), or TW_NO_RECORD */
};

static inline bool tw_record_is_stamped(const struct tw_record *r)
{
    return (r->options & TW_OPT_TIMESTAMP) && !(r->flags & TW_RST) &&
           r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME;
}

#endif
