/* SPDX-License-Identifier: MIT */
/* The 5View format of InfoVista: a file header with attributes, then records with a key. */
#include "source/record.h"

#include <tcpwhy/tcpwhy.h>

#define FILE_HEADER   56
#define RECORD_HEADER 36
#define RECORD_KEY    0x3333eeee
#define ETHERNET      0x18001000

static bool probe(struct tw_bytes start)
{
    return tw_be32(start, 0) == 0xaaaaaaaa && tw_le32(start, 8) == 0x00010000;
}

static bool open_five_view(struct tw_source *source, struct tw_source_error *error)
{
    struct tw_bytes b = tw_record_header(source, FILE_HEADER);

    if (b.len < FILE_HEADER)
        return tw_record_refuse_cut(error, "5View");
    if (tw_le32(b, 16) != ETHERNET)
        return tw_source_refuse(error, TCPWHY_ERR_FORMAT,
                                "a 5View file without an Ethernet capture: give one with it");
    tw_window_take(&source->window, FILE_HEADER);
    return tw_source_check_filter(source, TW_LINK_ETHERNET, error);
}

static int next_record(struct tw_source *source, struct tw_frame *frame)
{
    struct tw_bytes b = tw_record_header(source, RECORD_HEADER);
    struct tw_record record = {
        .header = RECORD_HEADER,
        .captured = tw_le32(b, 16),
        .original = tw_le32(b, 16),
        .link_type = TW_LINK_ETHERNET,
        .time_ns = tw_record_time(tw_le32(b, 24), tw_le32(b, 28)),
    };

    if (b.len < RECORD_HEADER)
        return tw_source_end(source, b.len);
    if (tw_le32(b, 0) != RECORD_KEY || record.captured > TW_FRAME_LEN_MAX)
        return tw_source_stop_at_bad_record(source);
    if (tw_le32(b, 12) != 0) /* an event, not a frame */
        return tw_record_pass_over(source, RECORD_HEADER + record.captured);
    return tw_record_take(source, &record, frame);
}

static int next(struct tw_source *source, struct tw_frame *frame)
{
    int rc;

    do
        rc = next_record(source, frame);
    while (rc == TW_RECORD_PASSED_OVER);
    return rc;
}

const struct tw_format tw_format_five_view = {
    .probe = probe,
    .open = open_five_view,
    .next = next,
};
