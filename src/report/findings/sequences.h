/* SPDX-License-Identifier: MIT */
/*
 * Connections of one client to one server, each opened after the previous one ended: each is short
 * and healthy, and together they are many sequential round trips.
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

/* Add a connection; keep: number kept with frames. most: sequences kept; no new ones beyond. */
void tw_sequences_add(struct tw_sequences *sequences, const struct tw_stream_row *stream,
                      const struct tw_log *log, const struct tw_short_way *way, uint32_t keep,
                      guint most);

/* Move those that made somebody wait to groups: struct tw_finding_accumulator, owned. */
void tw_sequences_close(struct tw_sequences *sequences, tw_ptr_array *groups);

size_t tw_sequences_bytes(const struct tw_sequences *sequences);

#endif
