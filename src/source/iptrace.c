/* SPDX-License-Identifier: MIT */
/* The iptrace format of AIX: version 1.0 counts seconds, 2.0 nanoseconds. */
#include "base/memory.h"
#include "source/record.h"

#include <string.h>

#define FILE_HEADER   11
#define RECORD_HEADER 8  /* length of the rest, seconds */
#define INFO_1        22 /* about the packet: its interface, from 2.0 on its time */
#define INFO_2        32
#define FDDI_PADDING  3

static bool is_version(struct tw_bytes start, const char *version)
{
    return tw_bytes_has(start, 0, FILE_HEADER) && memcmp(start.data, version, FILE_HEADER) == 0;
}

static bool probe(struct tw_bytes start)
{
    return is_version(start, "iptrace 1.0") || is_version(start, "iptrace 2.0");
}

/* RFC 2863 interface types, and IBM's. */
static uint32_t link_type(uint8_t if_type)
{
    switch (if_type) {
    case 6:
    case 7:
        return TW_LINK_ETHERNET;
    case 9:
        return TW_LINK_TOKEN_RING;
    case 15:
        return TW_LINK_FDDI;
    case 4:    /* X.25 */
    case 12:   /* SP switch */
    case 24:   /* loopback */
    case 0x3d: /* host fabric interface */
        return TW_LINK_RAW_IP;
    default:
        return TW_NO_LINK_TYPE;
    }
}

static size_t info_len(const struct tw_source *source)
{
    return source->state ? INFO_2 : INFO_1;
}

/* The type of the first record's interface; the filter is compiled again for others. */
static bool open_iptrace(struct tw_source *source, struct tw_source_error *error)
{
    struct tw_bytes b = tw_record_header(source, FILE_HEADER);

    if (is_version(b, "iptrace 2.0"))
        source->state = tw_new0(uint8_t, 1); /* no more than that it is 2.0 */
    tw_window_take(&source->window, FILE_HEADER);
    b = tw_record_header(source, RECORD_HEADER + INFO_1);
    return tw_source_check_filter(source, link_type(tw_u8(b, RECORD_HEADER + 20)), error);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    size_t header = RECORD_HEADER + info_len(source);
    struct tw_bytes b = tw_record_header(source, header);
    uint32_t len = tw_be32(b, 0);
    struct tw_record record = { .header = header,
                                .link_type = link_type(tw_u8(b, RECORD_HEADER + 20)) };

    if (b.len < header)
        return tw_source_end(source, b.len);
    if (record.link_type == TW_LINK_FDDI)
        record.header += FDDI_PADDING;
    if (len < record.header - RECORD_HEADER)
        return tw_source_stop_at_bad_record(source);
    record.captured = record.original = len - (uint32_t)(record.header - RECORD_HEADER);
    record.time_ns = source->state ? tw_record_time(tw_be32(b, RECORD_HEADER + 24),
                                                    tw_be32(b, RECORD_HEADER + 28))
                                   : tw_record_time(tw_be32(b, 4), 0);
    return tw_record_take(source, &record, frame);
}

const struct tw_format tw_format_iptrace = {
    .probe = probe,
    .open = open_iptrace,
    .next = next,
    .close = tw_record_close,
};
