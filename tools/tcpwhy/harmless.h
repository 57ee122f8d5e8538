/* SPDX-License-Identifier: MIT */
/* Names from captures and folders, where the library does not render them. */
#ifndef HARMLESS_H
#define HARMLESS_H

#include <stdbool.h>

#include <glib.h>

/* May the character be shown as it is? */
bool is_harmless(gunichar c);

/* Number of characters from here on to show as they are, as most texts are whole: ASCII only, and
 * none of these. */
size_t plain_ascii(const char *text, const char *end, const char *but);

/*
 * Append text, and write out what moves a terminal's cursor, turns text around or is no UTF-8; line
 * feeds stay when they are asked for. len -1: to its NUL.
 */
void append_harmless(GString *to, const char *text, gssize len, bool lines);

#endif
