/* SPDX-License-Identifier: MIT */
/*
 * Text that came off the wire, made safe for a terminal: control characters, marks that turn text
 * around and bytes that are not UTF-8 are written out, and widths are counted in columns.
 */
#ifndef TW_RENDER_WRITERS_TEXT_H
#define TW_RENDER_WRITERS_TEXT_H

#include <stdbool.h>

#include <glib.h>

#include "base/text.h"

/* Holds one character made safe, in its longest form. */
#define TW_TEXT_TOKEN 16

/* How many characters from here on are safe as they are, and take a column each: of ASCII. */
size_t tw_text_plain(const char *text);

/* Take one character off *text. @return how many columns the token takes. */
unsigned tw_text_next(const char **text, bool ascii, char *token);

/* Columns that the text takes on the screen. */
unsigned tw_text_width(const char *text, bool ascii);

/* Append text of at most width columns; longer text gets an ellipsis in the middle. */
void tw_text_fit(tw_string *to, const char *text, unsigned width, bool ascii);

/* The same for prose, of which the beginning says most: it loses its end. */
void tw_text_begin(tw_string *to, const char *text, unsigned width, bool ascii);

#endif
