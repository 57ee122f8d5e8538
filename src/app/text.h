/* SPDX-License-Identifier: MIT */
/*
 * Text off the wire to text for a report: UTF-8, one line, bounded.
 */
#ifndef TW_APP_TEXT_H
#define TW_APP_TEXT_H

#include <glib.h>

#include "base/bytes.h"

/* Append at most max bytes; control characters become spaces, bytes that are not UTF-8 "?". */
void tw_text_append(GString *text, struct tw_bytes bytes, size_t max);

#endif
