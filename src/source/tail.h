/* SPDX-License-Identifier: MIT */
/*
 * Frames of captures that are still being written: a file that grows, is truncated or replaced, or
 * a folder of rotated files.
 */
#ifndef TW_SOURCE_TAIL_H
#define TW_SOURCE_TAIL_H

#include "source/source.h"

struct tw_tail;

/*
 * A file is read from its beginning, and may not exist yet; in a folder, reading starts with the
 * newest file. @return NULL with *error filled.
 */
struct tw_tail *tw_tail_open(const char *path, const char *filter, struct tw_source_error *error);
void tw_tail_close(struct tw_tail *tail);

/* @return 1 with *frame filled, 0 if there is none now, negative with *error filled. */
int tw_tail_next(struct tw_tail *tail, struct tw_frame *frame, struct tw_source_error *error);

/* Frames read, and drops reported by the files. */
uint64_t tw_tail_frames(const struct tw_tail *tail);
uint64_t tw_tail_dropped(const struct tw_tail *tail);

/* The current file, or "". */
const char *tw_tail_file(const struct tw_tail *tail);

#endif
