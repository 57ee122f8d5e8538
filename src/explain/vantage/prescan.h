/* SPDX-License-Identifier: MIT */
/*
 * What a first look at all records tells, so that the parts that come after leave out what the log
 * cannot need and know how much room the rest takes.
 */
#ifndef TW_EXPLAIN_VANTAGE_PRESCAN_H
#define TW_EXPLAIN_VANTAGE_PRESCAN_H

#include "app/app.h"
#include "explain/vantage/missing_pure_acks.h"
#include "explain/explanation.h"

struct tw_prescan {
    bool lacks; /* before some record the capture lacks frames, or time */
    bool half;  /* it holds frames of one side only */
    enum tw_pure_acks pure_acks;
    /* A side's last record that stands behind a hole, or NULL. */
    const struct tw_record *last_beyond[2];
    uint32_t n_segments[2]; /* of a side's records those with data, SYN or FIN, which sends are */
    bool long_messages[2];  /* a side has some of more than one segment: then it has rounds */
    const struct tw_record *last_of[2]; /* a side's last record, or NULL */
    /* A side's first and last record that tells its clock (RFC 7323), or NULL. */
    const struct tw_record *first_stamped[2], *last_stamped[2];
};

/* Does the capture lack frames before it, or time? */
static inline bool tw_record_is_behind_gap(const struct tw_record *r)
{
    return (r->facts & TW_FACT_ACKS_UNSEEN) || r->moved;
}

static inline bool tw_record_is_stamped(const struct tw_record *r)
{
    return (r->options & TW_OPT_TIMESTAMP) &&
           (r->usual || (!(r->flags & TW_RST) && r->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME));
}

#endif
