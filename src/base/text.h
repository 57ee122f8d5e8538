/* SPDX-License-Identifier: MIT */
/*
 * Texts with the calls of GLib's, whose failed allocations return to the guard (memory.h): a text
 * that grows, a store of texts, and copies.
 */
#ifndef TW_BASE_TEXT_H
#define TW_BASE_TEXT_H

#include <stdarg.h>

#include <glib.h>

#include "base/memory.h"

/* ---- a text that grows ----------------------------------------------------------------------- */

typedef struct tw_string {
    char *str; /* ends with a zero byte */
    gsize len;
    gsize room; /* with that byte */
} tw_string;

/* text NULL: empty. What changes a text returns it. */
tw_string *tw_string_new(const char *text);
/* @return the text, for tw_free(), unless it is freed, too. */
char *tw_string_free(tw_string *string, gboolean text);

/* Room for n more bytes. */
void tw_string_reserve(tw_string *string, gsize n);
tw_string *tw_string_append_len(tw_string *string, const char *text, gssize n);
tw_string *tw_string_append(tw_string *string, const char *text);
tw_string *tw_string_append_unichar(tw_string *string, gunichar c);
__attribute__((format(printf, 2, 0))) void
tw_string_append_vprintf(tw_string *string, const char *format, va_list arguments);
__attribute__((format(printf, 2, 3))) void tw_string_append_printf(tw_string *string,
                                                                   const char *format, ...);
__attribute__((format(printf, 2, 3))) void tw_string_printf(tw_string *string, const char *format,
                                                            ...);
tw_string *tw_string_assign(tw_string *string, const char *text);
tw_string *tw_string_truncate(tw_string *string, gsize n);
gboolean tw_string_equal(const tw_string *a, const tw_string *b);

static inline tw_string *tw_string_append_c(tw_string *string, char c)
{
    if (string->room - string->len < 2)
        tw_string_reserve(string, 1);
    string->str[string->len++] = c;
    string->str[string->len] = '\0';
    return string;
}

static inline void tw_string_drop(tw_string *string)
{
    tw_string_free(string, TRUE);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(tw_string, tw_string_drop)

/* ---- a store of texts, released all at once -------------------------------------------------- */

typedef struct tw_string_chunk tw_string_chunk;

tw_string_chunk *tw_string_chunk_new(gsize block_bytes);
void tw_string_chunk_free(tw_string_chunk *chunk);
/* Release the texts. */
void tw_string_chunk_clear(tw_string_chunk *chunk);
char *tw_string_chunk_insert(tw_string_chunk *chunk, const char *text);
char *tw_string_chunk_insert_len(tw_string_chunk *chunk, const char *text, gssize n);
/* The same text is stored once. */
char *tw_string_chunk_insert_const(tw_string_chunk *chunk, const char *text);

/* ---- copies, for tw_free() ------------------------------------------------------------------- */

/* NULL for NULL. */
char *tw_strdup(const char *text);
char *tw_strndup(const char *text, gsize n);
__attribute__((format(printf, 1, 2))) char *tw_strdup_printf(const char *format, ...);
__attribute__((format(printf, 1, 0))) char *tw_strdup_vprintf(const char *format,
                                                              va_list arguments);
/* With each byte that is no UTF-8 replaced by U+FFFD; n < 0: up to the zero byte. */
char *tw_utf8_make_valid(const char *text, gssize n);

/* UTF-8 of n characters, or those before a zero. */
char *tw_ucs4_to_utf8(const gunichar *text, glong n);

/* The last part of a path, the folder before it, and the path of a name in a folder. */
char *tw_path_get_basename(const char *path);
char *tw_path_get_dirname(const char *path);
char *tw_build_filename(const char *folder, const char *name);

/* The pieces between any of the delimiters; none of an empty text. Ends with NULL. */
char **tw_strsplit(const char *text, const char *delimiters);
void tw_strfreev(char **pieces);

typedef char **tw_strv;
G_DEFINE_AUTO_CLEANUP_FREE_FUNC(tw_strv, tw_strfreev, NULL)

#endif
