/* SPDX-License-Identifier: MIT */
/* Files that are not captures, or of unsupported formats: what they are and how to convert them. */
#ifndef TW_SOURCE_FOREIGN_H
#define TW_SOURCE_FOREIGN_H

#include <stdbool.h>

#include "base/bytes.h"

/* Bytes needed for detection. */
#define TW_FOREIGN_BYTES 64

/* Is it one of those with a signature? */
bool tw_foreign_is_known(struct tw_bytes start);

/* One sentence. */
const char *tw_foreign_advice(struct tw_bytes start);

#endif
