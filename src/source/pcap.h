/* SPDX-License-Identifier: MIT */
/* Dialect of a pcap file, and its record headers. */
#ifndef TW_SOURCE_PCAP_H
#define TW_SOURCE_PCAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "source/error.h"
#include "source/interface.h"
#include "source/window.h"

/* Versions up to 2.2, and some 2.3 files, have the original length first. */
enum tw_pcap_lengths { TW_PCAP_CAPTURED_FIRST, TW_PCAP_ORIGINAL_FIRST, TW_PCAP_LARGER_LAST };

struct tw_pcap {
    bool big_endian;
    uint32_t record_header;   /* size of a record header, at least four words */
    uint32_t ns_per_fraction; /* unit of the timestamp's second word */
    enum tw_pcap_lengths lengths;
    struct tw_interface interface;
};

struct tw_pcap_record {
    uint32_t seconds, fraction, captured, original;
};

bool tw_pcap_probe(struct tw_bytes start);

/*
 * Read and consume the file header. If a magic number is ambiguous, the first records decide the
 * record header size. @return false with error filled.
 */
bool tw_pcap_read_header(struct tw_window *window, struct tw_pcap *pcap,
                         struct tw_source_error *error);

static inline uint32_t tw_pcap_word(const struct tw_pcap *pcap, struct tw_bytes b, size_t offset)
{
    return pcap->big_endian ? tw_be32(b, offset) : tw_le32(b, offset);
}

/* For the common dialect: little-endian, captured length first. */
static inline struct tw_pcap_record tw_pcap_plain_record(const uint8_t *header)
{
    return (struct tw_pcap_record) { tw_load_le32(header), tw_load_le32(header + 4),
                                     tw_load_le32(header + 8), tw_load_le32(header + 12) };
}

/* header: record header of this dialect's size. */
static inline struct tw_pcap_record tw_pcap_record(const struct tw_pcap *pcap,
                                                   const uint8_t *header)
{
    struct tw_pcap_record r = tw_pcap_plain_record(header);

    if (pcap->big_endian)
        r = (struct tw_pcap_record) { tw_load_be32(header), tw_load_be32(header + 4),
                                      tw_load_be32(header + 8), tw_load_be32(header + 12) };
    if (pcap->lengths == TW_PCAP_CAPTURED_FIRST)
        return r;
    if (pcap->lengths == TW_PCAP_ORIGINAL_FIRST ||
        (pcap->lengths == TW_PCAP_LARGER_LAST && r.captured > r.original)) {
        uint32_t first = r.captured;

        r.captured = r.original;
        r.original = first;
    }
    return r;
}

#endif
