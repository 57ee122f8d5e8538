/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of tcpwhy about single frames: which waits a frame ended, which findings it proves,
 * which stream begins with it. Made from a report; knows nothing of Wireshark.
 */
#ifndef TCPWHY_WIRESHARK_NOTES_H
#define TCPWHY_WIRESHARK_NOTES_H

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

/* One thing to say of one frame; of the last three pointers one is set at most, into the report. */
struct note {
    uint32_t frame;
    int64_t time_ns;                        /* of the frame, since the epoch */
    const struct tcpwhy_stream *stream;     /* whose wait it is, or that begins here */
    const struct tcpwhy_span *wait;         /* ended with this frame */
    const struct tcpwhy_finding *finding;   /* proved by this frame, among others */
    const struct tcpwhy_exchange *exchange; /* ended with this frame */
};

struct notes;

/* When each TCP frame stood, for notes_new(): filled by notes_see_segment(), an on_segment. */
struct frame_times {
    GArray *of; /* int64_t a frame number; 0: no TCP frame */
};

bool notes_see_segment(void *times, const struct tcpwhy_segment *segment);

/* Takes the report, which needs its spans. */
struct notes *notes_new(tcpwhy_report *report, const struct frame_times *times);
void notes_free(struct notes *notes);

/* Number of frames that were looked at. */
uint64_t notes_n_frames(const struct notes *notes);

/*
 * The notes of a frame: *n of them, or none. A frame is known by its number and its time; when the
 * time is another one (frames were numbered anew), by its time alone, if only one frame has it.
 */
const struct note *notes_of(const struct notes *notes, uint32_t frame, int64_t time_ns, size_t *n);

#endif
