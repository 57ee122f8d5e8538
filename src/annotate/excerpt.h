/* SPDX-License-Identifier: MIT */
/*
 * Selects the frames that prove the findings: the start of their streams, and the frames around
 * their gaps. Decided in a second pass over the capture.
 */
#ifndef TW_ANNOTATE_EXCERPT_H
#define TW_ANNOTATE_EXCERPT_H

#include <stdbool.h>

#include <tcpwhy/report.h>

struct tw_excerpt;

/*
 * Considers at most that many findings; around: frames of the stream before and after each of
 * theirs.
 */
struct tw_excerpt *tw_excerpt_new(const tcpwhy_report *report, size_t most_findings,
                                  uint32_t around);
void tw_excerpt_free(struct tw_excerpt *excerpt);

/* The next frame of this stream, in capture order. */
void tw_excerpt_push(struct tw_excerpt *excerpt, uint32_t stream, uint32_t frame);

/* After the last frame: sort what is kept. */
void tw_excerpt_close(struct tw_excerpt *excerpt);

bool tw_excerpt_has(const struct tw_excerpt *excerpt, uint32_t frame);

size_t tw_excerpt_n_streams(const struct tw_excerpt *excerpt);

#endif
