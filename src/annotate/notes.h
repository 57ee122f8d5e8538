/* SPDX-License-Identifier: MIT */
/*
 * A report's words about single frames, as they stand beside them in Wireshark.
 */
#ifndef TW_ANNOTATE_NOTES_H
#define TW_ANNOTATE_NOTES_H

#include <glib.h>

#include <tcpwhy/report.h>

/* One comment on one frame; valid UTF-8 without control characters. */
struct tw_note {
    uint32_t frame;
    const char *text; /* lives as long as the notes */
};

struct tw_notes;

/* The waits that the report kept, of so many findings at most. */
struct tw_notes *tw_notes_new(const tcpwhy_report *report, size_t most_findings);
void tw_notes_free(struct tw_notes *notes);

/* The notes on one frame; NULL and *n 0 when there are none. */
const struct tw_note *tw_notes_on(const struct tw_notes *notes, uint32_t frame, size_t *n);

/* The words about the whole: the diagnosis, several lines. extra is a line of its own or "".
 */
char *tw_notes_summary(const tcpwhy_report *report, const char *extra);

#endif
