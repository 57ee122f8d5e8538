/* SPDX-License-Identifier: MIT */
/*
 * Which record of the log first delivered which bytes: repeats, keep-alive bytes and window probes
 * deliver nothing, a repeat that fills a hole does. And how each direction ended.
 */
#ifndef TW_APP_BYTE_TO_FRAME_H
#define TW_APP_BYTE_TO_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/ranges.h"
#include "log/log.h"

/* Bytes that filled holes. */
struct tw_late {
    int64_t from, to;
    uint32_t record;
};

/* Where the bytes behind a SYN begin. */
#define TW_FIRST_BYTE 1

/* Offset of a direction that has not begun. */
#define TW_NOT_BEGUN INT64_MIN

/*
 * One direction on the way through the log. What lies ahead of all bytes so far is handed on at
 * once; what fills holes is kept, and never overlaps anything else.
 */
struct tw_byte_to_frame {
    int64_t ahead;  /* where the newest bytes ahead of all before begin */
    int64_t next;   /* behind the highest byte so far; or TW_NOT_BEGUN */
    int64_t begin;  /* next at the begin: behind a SYN, or the first byte that came */
    int64_t syn_to; /* as far as what SYNs bring is taken */
    struct tw_ranges holes;
    struct tw_late *late;
    uint32_t n_late, late_capacity;
    bool sorted; /* late: by offset, and not as they came */
};

void tw_byte_to_frame_begin(struct tw_byte_to_frame *byte_to_frame);
/* Of a SYN's bytes count only those that the answer to it acknowledges (TCP Fast Open: RFC 7413,
 * section 4.2.2). */
void tw_byte_to_frame_heed_answer(struct tw_byte_to_frame *byte_to_frame, const struct tw_log *log,
                                  enum tcpwhy_side side);
void tw_byte_to_frame_clear(struct tw_byte_to_frame *byte_to_frame);

/* Offset of the first byte that came, TW_FIRST_BYTE without one. */
int64_t tw_byte_to_frame_first(const struct tw_byte_to_frame *byte_to_frame);

/* Most carry nothing; a SYN says where its direction begins. */
static inline bool tw_record_may_deliver(const struct tw_record *r)
{
    return r->len > 0 || r->flags & TW_SYN;
}

/* The same for records that are not just the next new data. */
bool tw_byte_to_frame_take_other(struct tw_byte_to_frame *byte_to_frame, const struct tw_record *r,
                                 uint32_t record);

/* Take in the next record of the direction that may deliver. @return true when some of its bytes
 * lie ahead of all before: they are [ahead, next). */
static inline bool tw_byte_to_frame_take(struct tw_byte_to_frame *byte_to_frame,
                                         const struct tw_record *r, uint32_t record)
{
    if (G_UNLIKELY(!r->usual || r->seq != byte_to_frame->next))
        return tw_byte_to_frame_take_other(byte_to_frame, r, record);
    byte_to_frame->ahead = r->seq;
    byte_to_frame->next = r->seq + r->len;
    return true;
}

/*
 * Late bytes of [from, to): the lowest and its record, and the last record that brought any. After
 * the last record. @return false when there are none.
 */
bool tw_byte_to_frame_find_late(struct tw_byte_to_frame *byte_to_frame, int64_t from, int64_t to,
                                struct tw_late *lowest, uint32_t *last);

#define TW_NO_FIN INT64_MAX

/* Offset of the last FIN of a side, or TW_NO_FIN. */
int64_t tw_fin_of(const struct tw_log *log, enum tcpwhy_side side);

/* Have the bytes of a side been acknowledged up to an offset? Looked for from the log's end. */
bool tw_is_acknowledged(const struct tw_log *log, enum tcpwhy_side side, int64_t to);

#endif
