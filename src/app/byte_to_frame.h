/* SPDX-License-Identifier: MIT */
/*
 * Maps bytes to the log record that first delivered them: retransmissions, keep-alive bytes and
 * window probes deliver nothing, unless they fill a hole. Also how each direction ended.
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

/* Offset of the first byte after a SYN. */
#define TW_FIRST_BYTE 1

/* Offset of a direction that has not begun. */
#define TW_NOT_BEGUN INT64_MIN

/*
 * One direction during the pass over the log. New highest bytes are reported at once; bytes that
 * fill holes are recorded, and never overlap.
 */
struct tw_byte_to_frame {
    int64_t ahead;  /* start of the newest bytes */
    int64_t next;   /* highest byte so far plus one; or TW_NOT_BEGUN */
    int64_t begin;  /* initial value of next: after a SYN, or the first byte seen */
    int64_t syn_to; /* limit up to which SYN data is accepted */
    struct tw_ranges holes;
    struct tw_late *late;
    uint32_t n_late, late_capacity;
    bool sorted; /* late is sorted by offset */
};

void tw_byte_to_frame_begin(struct tw_byte_to_frame *byte_to_frame);
/* SYN data counts only as far as the SYN/ACK acknowledges it (TCP Fast Open: RFC 7413, section
 * 4.2.2). */
void tw_byte_to_frame_heed_answer(struct tw_byte_to_frame *byte_to_frame, const struct tw_log *log,
                                  enum tcpwhy_side side);
void tw_byte_to_frame_clear(struct tw_byte_to_frame *byte_to_frame);

/* Offset of the first byte delivered, or TW_FIRST_BYTE. */
int64_t tw_byte_to_frame_first(const struct tw_byte_to_frame *byte_to_frame);

/* Most records have no payload; a SYN sets the start of its direction. */
static inline bool tw_record_may_deliver(const struct tw_record *r)
{
    return r->len > 0 || r->flags & TW_SYN;
}

/* Slow path: anything but the next new data. */
bool tw_byte_to_frame_take_other(struct tw_byte_to_frame *byte_to_frame, const struct tw_record *r,
                                 uint32_t record);

/* Process the next record of the direction. @return true if it delivered new highest bytes:
 * [ahead, next). */
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
 * Late bytes of [from, to): the lowest and its record, and the last record that delivered any. Only
 * after the last record. @return false if there are none.
 */
bool tw_byte_to_frame_find_late(struct tw_byte_to_frame *byte_to_frame, int64_t from, int64_t to,
                                struct tw_late *lowest, uint32_t *last);

#define TW_NO_FIN INT64_MAX

/* Offset of the last FIN of a side, or TW_NO_FIN. */
int64_t tw_fin_of(const struct tw_log *log, enum tcpwhy_side side);

/* Were the bytes of a side acknowledged up to an offset? Searched from the end of the log. */
bool tw_is_acknowledged(const struct tw_log *log, enum tcpwhy_side side, int64_t to);

#endif
