/* SPDX-License-Identifier: MIT */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/hash_table.h"

/* The least room of a text. */
#define LEAST 32

/* ---- a text that grows ----------------------------------------------------------------------- */

void tw_string_reserve(tw_string *string, gsize n)
{
    if (n < string->room - string->len)
        return;
    if (n > PTRDIFF_MAX / 2 - string->len)
        tw_out_of_memory(n);
    string->str = tw_realloc(string->str, MAX(2 * string->room, string->len + n + 1));
    string->room = MAX(2 * string->room, string->len + n + 1);
}

tw_string *tw_string_new(const char *text)
{
    tw_string *string = tw_new0(tw_string, 1);

    string->str = tw_malloc(LEAST);
    string->str[0] = '\0';
    string->room = LEAST;
    if (text)
        tw_string_append(string, text);
    return string;
}

char *tw_string_free(tw_string *string, gboolean text)
{
    char *str = string->str;

    tw_free(string);
    if (!text)
        return str;
    tw_free(str);
    return NULL;
}

tw_string *tw_string_append_len(tw_string *string, const char *text, gssize length)
{
    gsize n = length < 0 ? strlen(text) : (gsize)length;

    tw_string_reserve(string, n);
    if (n > 0)
        memcpy(string->str + string->len, text, n);
    string->len += n;
    string->str[string->len] = '\0';
    return string;
}

tw_string *tw_string_append(tw_string *string, const char *text)
{
    return tw_string_append_len(string, text, -1);
}

tw_string *tw_string_append_unichar(tw_string *string, gunichar c)
{
    char bytes[6];

    return tw_string_append_len(string, bytes, g_unichar_to_utf8(c, bytes));
}

void tw_string_append_vprintf(tw_string *string, const char *format, va_list arguments)
{
    gsize left = string->room - string->len;
    va_list again;
    int n;

    va_copy(again, arguments);
    n = vsnprintf(string->str + string->len, left, format, arguments);
    if (n > 0 && (gsize)n >= left) {
        string->str[string->len] = '\0';
        tw_string_reserve(string, (gsize)n);
        n = vsnprintf(string->str + string->len, (gsize)n + 1, format, again);
    }
    va_end(again);
    if (n < 0)
        tw_out_of_memory(string->len);
    string->len += (gsize)n;
}

void tw_string_append_printf(tw_string *string, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    tw_string_append_vprintf(string, format, arguments);
    va_end(arguments);
}

void tw_string_printf(tw_string *string, const char *format, ...)
{
    va_list arguments;

    tw_string_truncate(string, 0);
    va_start(arguments, format);
    tw_string_append_vprintf(string, format, arguments);
    va_end(arguments);
}

tw_string *tw_string_assign(tw_string *string, const char *text)
{
    tw_string_truncate(string, 0);
    return tw_string_append(string, text);
}

tw_string *tw_string_truncate(tw_string *string, gsize n)
{
    string->len = MIN(n, string->len);
    string->str[string->len] = '\0';
    return string;
}

gboolean tw_string_equal(const tw_string *a, const tw_string *b)
{
    return a->len == b->len && memcmp(a->str, b->str, a->len) == 0;
}

/* ---- a store of texts ------------------------------------------------------------------------ */

struct text_block {
    struct text_block *next;
    char text[];
};

struct tw_string_chunk {
    gsize block_bytes;
    struct text_block *blocks; /* the newest first */
    char *free;                /* in it */
    gsize left;
    tw_hash_table *consts; /* NULL: none */
};

tw_string_chunk *tw_string_chunk_new(gsize block_bytes)
{
    tw_string_chunk *chunk = tw_new0(tw_string_chunk, 1);

    chunk->block_bytes = block_bytes;
    return chunk;
}

void tw_string_chunk_clear(tw_string_chunk *chunk)
{
    for (struct text_block *b = chunk->blocks, *next; b; b = next) {
        next = b->next;
        tw_free(b);
    }
    if (chunk->consts)
        tw_hash_table_destroy(chunk->consts);
    *chunk = (tw_string_chunk) { .block_bytes = chunk->block_bytes };
}

void tw_string_chunk_free(tw_string_chunk *chunk)
{
    tw_string_chunk_clear(chunk);
    tw_free(chunk);
}

char *tw_string_chunk_insert_len(tw_string_chunk *chunk, const char *text, gssize length)
{
    gsize n = length < 0 ? strlen(text) : (gsize)length;
    char *copy;

    if (n >= chunk->left) {
        gsize bytes = MAX(chunk->block_bytes, n + 1);
        struct text_block *block = tw_malloc(sizeof *block + bytes);

        block->next = chunk->blocks;
        chunk->blocks = block;
        chunk->free = block->text;
        chunk->left = bytes;
    }
    copy = memcpy(chunk->free, text, n);
    copy[n] = '\0';
    chunk->free += n + 1;
    chunk->left -= n + 1;
    return copy;
}

char *tw_string_chunk_insert(tw_string_chunk *chunk, const char *text)
{
    return tw_string_chunk_insert_len(chunk, text, -1);
}

char *tw_string_chunk_insert_const(tw_string_chunk *chunk, const char *text)
{
    char *known;

    if (!chunk->consts)
        chunk->consts = tw_hash_table_new(tw_hash_text, g_str_equal);
    known = tw_hash_table_lookup(chunk->consts, text);
    if (!known) {
        known = tw_string_chunk_insert(chunk, text);
        tw_hash_table_add(chunk->consts, known);
    }
    return known;
}

/* ---- copies ---------------------------------------------------------------------------------- */

char *tw_strdup(const char *text)
{
    return text ? tw_memdup2(text, strlen(text) + 1) : NULL;
}

char *tw_strndup(const char *text, gsize most)
{
    gsize n;
    char *copy;

    if (!text)
        return NULL;
    n = strnlen(text, most);
    copy = tw_malloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

char *tw_strdup_vprintf(const char *format, va_list arguments)
{
    tw_string *string = tw_string_new(NULL);

    tw_string_append_vprintf(string, format, arguments);
    return tw_string_free(string, FALSE);
}

char *tw_strdup_printf(const char *format, ...)
{
    va_list arguments;
    char *text;

    va_start(arguments, format);
    text = tw_strdup_vprintf(format, arguments);
    va_end(arguments);
    return text;
}

char *tw_utf8_make_valid(const char *text, gssize length)
{
    gsize n = length < 0 ? strlen(text) : (gsize)length;
    tw_string *valid = tw_string_new(NULL);

    for (;;) {
        const char *bad;

        if (g_utf8_validate(text, (gssize)n, &bad))
            break;
        tw_string_append_len(valid, text, bad - text);
        tw_string_append(valid, "\357\277\275");
        n -= (gsize)(bad + 1 - text);
        text = bad + 1;
    }
    tw_string_append_len(valid, text, (gssize)n);
    return tw_string_free(valid, FALSE);
}

char *tw_ucs4_to_utf8(const gunichar *text, glong n)
{
    tw_string *string = tw_string_new(NULL);

    for (glong i = 0; i < n && text[i]; i++)
        tw_string_append_unichar(string, text[i]);
    return tw_string_free(string, FALSE);
}

/* Length of a path without the slashes at its end, but for the first. */
static size_t without_slashes(const char *path, size_t n)
{
    while (n > 1 && path[n - 1] == '/')
        n--;
    return n;
}

static size_t name_begins(const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '/')
        n--;
    return n;
}

char *tw_path_get_basename(const char *path)
{
    size_t n = without_slashes(path, strlen(path)), at = name_begins(path, n);

    return at == n ? tw_strdup(n > 0 ? "/" : ".") : tw_strndup(path + at, n - at);
}

char *tw_path_get_dirname(const char *path)
{
    size_t at = name_begins(path, strlen(path));

    return at == 0 ? tw_strdup(".") : tw_strndup(path, without_slashes(path, at));
}

char *tw_build_filename(const char *folder, const char *name)
{
    size_t n = strlen(folder);

    return tw_strdup_printf("%s%s%s", folder, n > 0 && folder[n - 1] == '/' ? "" : "/", name);
}

char **tw_strsplit(const char *text, const char *delimiters)
{
    size_t n = 0, most = 1;
    char **pieces;

    for (const char *at = text; *at; at++)
        most += strchr(delimiters, *at) != NULL;
    pieces = tw_new(char *, most + 1);
    while (*text) {
        size_t length = strcspn(text, delimiters);

        pieces[n++] = tw_strndup(text, length);
        text += length;
        if (*text && !*++text)
            pieces[n++] = tw_strdup("");
    }
    pieces[n] = NULL;
    return pieces;
}

void tw_strfreev(char **pieces)
{
    for (char **at = pieces; at && *at; at++)
        tw_free(*at);
    tw_free(pieces);
}
