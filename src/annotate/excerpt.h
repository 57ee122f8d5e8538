/* SPDX-License-Identifier: MIT */
/*
 * Which frames prove the findings: how each of their streams began, and what stands around the
 * frames of their waits. Decided while the capture is read once more.
 */
#ifndef TW_ANNOTATE_EXCERPT_H
#define TW_ANNOTATE_EXCERPT_H

#include <stdbool.h>

#include <tcpwhy/report.h>

struct tw_excerpt;

/*
 * Of the waits of so many findings at most; around: how many frames of a stream before and after
 * each of theirs.
 */
struct tw_excerpt *tw_excerpt_new(const tcpwhy_report *report, size_t most_findings,
                                  uint32_t around);
void tw_excerpt_free(struct tw_excerpt *excerpt);

/* The next frame that belongs to this stream; frames come in their order. */
void tw_excerpt_push(struct tw_excerpt *excerpt, uint32_t stream, uint32_t frame);

/* After the last frame: put what is kept in order. */
void tw_excerpt_close(struct tw_excerpt *excerpt);

bool tw_excerpt_has(const struct tw_excerpt *excerpt, uint32_t frame);

size_t tw_excerpt_n_streams(const struct tw_excerpt *excerpt);

#endif
