/* SPDX-License-Identifier: MIT */
/*
 * both_ways CAPTURE...: the short way through the headers and the plain walk find the same segment
 * in each frame, and in each of its beginnings: as a snap length leaves it, and as a frame that
 * ends there. Likewise the short and the plain way to tell what a segment is to its connection.
 */
#include <inttypes.h>
#include <stdio.h>

#include "source/source.h"
#include "tests/same_segment.h"
#include "tests/same_tracked.h"

/* Longer than any headers. */
#define LONGEST_CUT 160

static bool check(const struct tw_frame *frame, uint64_t *taken)
{
    uint32_t wire_len = frame->original_len;
    bool short_way;

    for (uint32_t len = 0; len < frame->bytes.len && len <= LONGEST_CUT; len++) {
        struct tw_bytes begin = tw_bytes_first(frame->bytes, len);

        if (!both_ways_agree(frame->link_type, begin, wire_len, &short_way) ||
            !both_ways_agree(frame->link_type, begin, len, &short_way))
            return false;
    }
    if (!both_ways_agree(frame->link_type, frame->bytes, wire_len, &short_way))
        return false;
    *taken += short_way;
    return true;
}

/* A capture's segments through the tracker; what IP fragments make whole is left out. */
struct tracking {
    struct tw_tracker *tracker, *plain; /* plain: never the short way */
};

static bool check_tracking(struct tracking *tracking, const struct tw_frame *frame)
{
    struct tw_dissection d;
    struct tw_tracked tracked;

    if (tw_dissect(NULL, frame->link_type, frame->bytes, frame->original_len, &d) != TW_FRAME_TCP ||
        frame->time_ns == TCPWHY_NS_UNKNOWN)
        return true;
    tw_tracker_push(tracking->tracker, &d.segment, frame->time_ns, frame->number, &tracked);
    return plain_tracker_agrees(tracking->plain, &tracked);
}

static bool check_capture(const char *path, uint64_t *frames, uint64_t *taken)
{
    struct tw_source_error error;
    struct tw_source *source = tw_source_open(path, NULL, &error);
    struct tracking tracking = { tw_tracker_new(false), tw_tracker_new(false) };
    struct tw_frame frame;
    bool same = source != NULL;

    while (same && tw_source_next(source, &frame) > 0) {
        same = check(&frame, taken) && check_tracking(&tracking, &frame);
        *frames += 1;
        if (!same)
            fprintf(stderr, "%s: frame %u: the two ways differ\n", path, frame.number);
    }
    if (!source)
        fprintf(stderr, "%s: %s\n", path, error.text);
    tw_source_close(source);
    tw_tracker_free(tracking.tracker);
    tw_tracker_free(tracking.plain);
    return same;
}

int main(int argc, char **argv)
{
    uint64_t frames = 0, taken = 0;

    for (int i = 1; i < argc; i++)
        if (!check_capture(argv[i], &frames, &taken))
            return 1;
    printf("%" PRIu64 " frames of %d captures, %" PRIu64 " of them the short way\n", frames,
           argc - 1, taken);
    return taken == 0;
}
