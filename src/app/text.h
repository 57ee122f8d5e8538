/* SPDX-License-Identifier: MIT */
/*
 * Sanitises untrusted text for reports: UTF-8, one line, bounded.
 */
#ifndef TW_APP_TEXT_H
#define TW_APP_TEXT_H

#include "base/bytes.h"

/* Room for the ellipsis and the NUL. */
#define TW_TEXT_END 4

/*
 * Write at most max bytes to text, which has room for TW_TEXT_END more. Control characters become
 * spaces, invalid UTF-8 "?". @return the length without the NUL, which is always written.
 */
size_t tw_text_clean(char *text, size_t max, struct tw_bytes bytes);

#endif
