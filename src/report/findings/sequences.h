/* SPDX-License-Identifier: MIT */
/*
 * Connections of one client to one server, each opened behind the end of the one before: every one
 * is short and healthy, and all of them are many round trips one after the other.
 */
#ifndef TW_REPORT_FINDINGS_SEQUENCES_H
#define TW_REPORT_FINDINGS_SEQUENCES_H

#include <glib.h>

#include "base/array.h"
#include "report/findings/materiality.h"

struct tw_sequences;

struct tw_sequences *tw_sequences_new(void);
struct tw_sequences *tw_sequences_copy(const struct tw_sequences *sequences);
void tw_sequences_free(struct tw_sequences *sequences);

/* A connection; keep so many with their frames. There are no more than most sequences. */
void tw_sequences_add(struct tw_sequences *sequences, const struct tw_stream_row *stream,
                      const struct tw_log *log, const struct tw_short_way *way, uint32_t keep,
                      guint most);

/* Move those that made somebody wait to groups: struct tw_finding_accumulator, owned. */
void tw_sequences_close(struct tw_sequences *sequences, tw_ptr_array *groups);

size_t tw_sequences_bytes(const struct tw_sequences *sequences);

#endif
