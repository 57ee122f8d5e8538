/* SPDX-License-Identifier: MIT */
/* Files that are no capture, or none that we read: what they are and what to do about it. */
#ifndef TW_SOURCE_FOREIGN_H
#define TW_SOURCE_FOREIGN_H

#include "base/bytes.h"

/* How much of the file's start is worth showing. */
#define TW_FOREIGN_BYTES 64

/* One sentence. */
const char *tw_foreign_advice(struct tw_bytes start);

#endif
