/* SPDX-License-Identifier: MIT */
/*
 * Text off the wire to text for a report: UTF-8, one line, bounded.
 */
#ifndef TW_APP_TEXT_H
#define TW_APP_TEXT_H

#include "base/bytes.h"

/* Room for the dots that say that a text goes on, and for the NUL. */
#define TW_TEXT_END 4

/*
 * Write at most max bytes to text, which holds TW_TEXT_END more; control characters become spaces,
 * bytes that are not UTF-8 "?". @return the length, without the NUL that is always there.
 */
size_t tw_text_clean(char *text, size_t max, struct tw_bytes bytes);

#endif
