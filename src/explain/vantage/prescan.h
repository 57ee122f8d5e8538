/* SPDX-License-Identifier: MIT */
/*
 * A first pass over all records, so that later stages skip what the log cannot need and know how
 * much room they take.
 */
#ifndef TW_EXPLAIN_VANTAGE_PRESCAN_H
#define TW_EXPLAIN_VANTAGE_PRESCAN_H

#include "app/app.h"
#include "explain/vantage/missing_pure_acks.h"
#include "explain/explanation.h"

struct tw_prescan {
    bool lacks; /* frames or time are missing before some record */
    bool half;  /* frames of one direction only */
    enum tw_pure_acks pure_acks;
    /* A side's last record beyond a hole, or NULL. */
    const struct tw_record *last_beyond[2];
    uint32_t n_segments[2]; /* number of a side's records with data, SYN or FIN (the sends) */
    bool long_messages[2];  /* a side has messages of several segments: it has rounds */
    const struct tw_record *last_of[2]; /* a side's last record, or NULL */
    /* A side's first and last record with TSval (RFC 7323), or NULL. */
    const struct tw_record *first_stamped[2], *last_stamped[2];
};

/* Are frames or time missing before it? */
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
