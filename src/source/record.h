/* SPDX-License-Identifier: MIT */
/* Shared by the formats whose records are a header, a frame and padding. */
#ifndef TW_SOURCE_RECORD_H
#define TW_SOURCE_RECORD_H

#include "source/internal.h"

enum {
    TW_LINK_NULL = 0,
    TW_LINK_ETHERNET = 1,
    TW_LINK_TOKEN_RING = 6,
    TW_LINK_PPP = 9,
    TW_LINK_FDDI = 10,
    TW_LINK_ATM_RFC1483 = 100,
    TW_LINK_RAW_IP = 101,
    TW_LINK_CHDLC = 104,
    TW_LINK_80211 = 105,
    TW_LINK_FRAME_RELAY = 107,
    TW_LINK_IP_OVER_FC = 122,
    TW_LINK_SUNATM = 123,
    TW_LINK_ERF = 197,
    TW_LINK_IPNET = 226,
};

/* Result of a record, besides 0 (end), 1 (frame) and negative error codes. */
enum { TW_RECORD_PASSED_OVER = 2 };

struct tw_record {
    size_t header; /* bytes before the frame */
    uint32_t captured, original;
    size_t trailer; /* bytes after the frame */
    uint32_t link_type;
    int64_t time_ns;
};

/* The header of the next record, or fewer bytes: see tw_source_end(). */
static inline struct tw_bytes tw_record_header(struct tw_source *source, size_t n)
{
    return tw_window_need(&source->window, n);
}

/* Consume the record and give its frame. @return the result for next(). */
int tw_record_take(struct tw_source *source, const struct tw_record *record,
                   struct tw_frame *frame);

/* Consume a record without a frame. @return TW_RECORD_PASSED_OVER, or the result for next(). */
int tw_record_pass_over(struct tw_source *source, size_t len);

/* Remove leading bytes of a frame: what its writer noted about it. */
void tw_record_strip(struct tw_frame *frame, size_t n);

/* Nanoseconds since the epoch; TW_NO_TIME if too far off. */
int64_t tw_record_time(int64_t seconds, uint64_t ns);

/* The same from 100 ns (per_second 10,000,000) or 1 ns steps since 1601, Windows' epoch. */
int64_t tw_record_windows_time(uint64_t units, uint64_t per_second);

/* A date and time of day. Fields out of range carry over. */
struct tw_date {
    uint32_t year, month, day, hour, minute, second;
};

/* Seconds since the epoch, as if the date were UTC. */
int64_t tw_date_seconds(const struct tw_date *date);

/* Is it a date and time of day? */
bool tw_date_is_plausible(const struct tw_date *date);

/* Note that the file has the local time of its writer, without a zone. */
void tw_record_note_local_time(struct tw_source *source);

/* close() of a format whose state is one block. */
void tw_record_close(struct tw_source *source);

/* Refuse a file whose header is cut short. @return false */
bool tw_record_refuse_cut(struct tw_source_error *error, const char *format);

#endif
