/* SPDX-License-Identifier: MIT */
/* Facts to know of a capture before its frames are believed. */
#ifndef TW_SOURCE_FACT_H
#define TW_SOURCE_FACT_H

#include <stdint.h>

/* Facts about the capture, never errors. */
enum tw_source_fact_kind {
    TW_SOURCE_CUT_SHORT,    /* the file ends within a record or block */
    TW_SOURCE_BAD_RECORD,   /* impossible length or version; reading stopped */
    TW_SOURCE_NO_TIME,      /* records without a timestamp (simple packet blocks) */
    TW_SOURCE_DROPPED,      /* drops reported by the capturing system (interface statistics) */
    TW_SOURCE_LEN_MISMATCH, /* captured length larger than the original length or the snap length */
    TW_SOURCE_NO_INTERFACE, /* pcapng frames of an undescribed interface; skipped */
    TW_SOURCE_NOT_FILTERED, /* frames of a link type to which the filter does not apply; skipped */
    TW_SOURCE_BAD_OPTION,   /* pcapng options that overrun their block; the rest was used */
    TW_SOURCE_BAD_ARCHIVE,  /* corrupt compressed data; reading stopped */
    TW_SOURCE_BAD_FILE,     /* an unreadable or partly readable file of a chain */
    TW_SOURCE_HELD_BACK,    /* frames rejected by the filter */
    TW_SOURCE_UNPACK_MAX,   /* unpack_max was reached; reading stopped */
    TW_SOURCE_LOCAL_TIME,   /* timestamps in the local time of the writer, without its zone */
};

/* One per kind. */
struct tw_source_fact {
    enum tw_source_fact_kind kind;
    uint32_t frame; /* last frame read at the first occurrence, or 0 */
    uint64_t count; /* records or frames; TW_SOURCE_DROPPED: packets */
};

#endif
