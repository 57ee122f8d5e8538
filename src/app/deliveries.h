/* SPDX-License-Identifier: MIT */
/*
 * Which record of the log first delivered which bytes: repeats, keep-alive bytes and window probes
 * deliver nothing, a repeat that fills a hole does. And how each direction ended.
 */
#ifndef TW_APP_DELIVERIES_H
#define TW_APP_DELIVERIES_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "log/log.h"

struct tw_delivery {
    int64_t from, to;
    uint32_t record;
};

#define TW_NO_FIN INT64_MAX

/* One direction's deliveries; they do not overlap. Must not move: it points into itself. */
struct tw_deliveries {
    struct tw_delivery *delivery;
    uint32_t n, capacity;
    uint32_t found;              /* where the last message began: the next is near */
    bool filled;                 /* some filled holes: the order of the log is not that by offset */
    int64_t acked;               /* of its bytes, by the other side */
    int64_t fin;                 /* offset of its FIN, or TW_NO_FIN */
    struct tw_delivery first[8]; /* all, when there are no more */
};

/* Of both sides, in the order of the log. */
void tw_deliveries_collect(const struct tw_log *log, struct tw_deliveries out[2]);
void tw_deliveries_sort_by_offset(struct tw_deliveries *deliveries);
void tw_deliveries_clear(struct tw_deliveries *deliveries);

/*
 * Of [from, to): the record that delivered the first byte that is there, and the one with which all
 * bytes were. Needs the order by offset; soonest told from message to message. @return false when
 * none of it was ever delivered.
 */
bool tw_deliveries_find(struct tw_deliveries *deliveries, int64_t from, int64_t to, uint32_t *first,
                        uint32_t *whole);

#endif
