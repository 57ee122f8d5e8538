/* SPDX-License-Identifier: MIT */
/*
 * Rendered bytes against the texts in golden/. With TCPWHY_BLESS set in the environment the texts
 * are written instead; then the diff is read.
 */
#ifndef TW_TESTS_GOLDEN_H
#define TW_TESTS_GOLDEN_H

#include <stdlib.h>

#include <glib.h>

#include "base/text.h"
#include "render/writers/text.h"

/* The tcpwhy_write_fn of a tw_string. */
static inline bool append(void *user, const char *bytes, size_t len)
{
    tw_string_append_len(user, bytes, (gssize)len);
    return true;
}

/* Likewise, of a reader that has gone away. */
static inline bool stop(void *user, const char *bytes, size_t len)
{
    (void)user;
    (void)bytes;
    (void)len;
    return false;
}

static inline void assert_golden(const char *name, const tw_string *text)
{
    char *path = g_strconcat(TESTS_FOLDER "/golden/", name, NULL);
    char *expected = NULL;

    if (getenv("TCPWHY_BLESS"))
        g_file_set_contents(path, text->str, (gssize)text->len, NULL);
    if (!g_file_get_contents(path, &expected, NULL, NULL))
        fail_msg("%s is missing", path);
    assert_string_equal(text->str, expected);
    g_free(expected);
    g_free(path);
}

/* No line is wider, none ends in blanks. */
static inline void assert_within(const char *text, unsigned columns)
{
    char **lines = tw_strsplit(text, "\n");

    for (char **line = lines; *line; line++) {
        assert_true(tw_text_width(*line, false) <= columns);
        assert_false(g_str_has_suffix(*line, " "));
    }
    tw_strfreev(lines);
}

/* Nothing in it moves a terminal's cursor, turns its text around, or is no UTF-8. */
static inline void assert_harmless(const char *text)
{
    assert_true(g_utf8_validate(text, -1, NULL));
    for (const char *p = text; *p; p += g_utf8_skip[(guchar)*p]) {
        gunichar c = g_utf8_get_char(p);

        assert_true(c >= 0x20 || c == '\n');
        assert_false(c >= 0x7f && c < 0xa0);
        assert_false((c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069));
    }
}

#endif
