/* SPDX-License-Identifier: MIT */
/* Names from captures and folders, where the library does not render them. */
#ifndef HARMLESS_H
#define HARMLESS_H

#include <stdbool.h>

#include <glib.h>

/*
 * Append text, and write out what moves a terminal's cursor, turns text around or is no UTF-8; line
 * feeds stay when they are asked for. len -1: to its NUL.
 */
/* Is the character of those that are shown as they stand? */
bool is_harmless(gunichar c);

void append_harmless(GString *to, const char *text, gssize len, bool lines);

#endif
