/* SPDX-License-Identifier: MIT */
#include "app/sql.h"

#include <string.h>

#include <glib.h>

struct out {
    char *text;
    size_t len;
    bool space; /* one is due */
    bool full;
};

static bool is_space(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == '\0';
}

static bool is_word(uint8_t c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '$' || c >= 0x80;
}

static void put(struct out *o, uint8_t c)
{
    if (o->space && o->len > 0 && o->len < TW_SQL_TEXT)
        o->text[o->len++] = ' ';
    o->space = false;
    if (o->len < TW_SQL_TEXT)
        o->text[o->len++] = (char)c;
    else
        o->full = true;
}

/* A list of values becomes one. */
static void put_value(struct out *o)
{
    size_t len = o->len;

    while (len > 0 && (o->text[len - 1] == ',' || o->text[len - 1] == ' '))
        len--;
    if (len < o->len && len > 0 && o->text[len - 1] == '?') {
        o->len = len;
        o->space = false;
        return;
    }
    put(o, '?');
}

/* Behind the end of a quotation that begins at i; doubled quotes do not end it. */
static size_t after_quote(struct tw_bytes s, size_t i, bool backslash)
{
    uint8_t quote = s.data[i];

    for (i++; i < s.len; i++) {
        if (backslash && s.data[i] == '\\')
            i++;
        else if (s.data[i] == quote && tw_u8(s, i + 1) == quote)
            i++;
        else if (s.data[i] == quote)
            return i + 1;
    }
    return s.len;
}

/* Behind $tag$ ... $tag$ of PostgreSQL, or i: it is none. */
static size_t after_dollars(struct tw_bytes s, size_t i)
{
    size_t tag = i + 1, len;

    while (tag < s.len && (g_ascii_isalpha(s.data[tag]) || s.data[tag] == '_'))
        tag++;
    if (tw_u8(s, tag) != '$')
        return i;
    len = tag + 1 - i;
    for (size_t end = tag + 1; end + len <= s.len; end++)
        if (memcmp(s.data + end, s.data + i, len) == 0)
            return end + len;
    return s.len;
}

/* Behind a comment, or i: it is none. */
static size_t after_comment(struct tw_bytes s, size_t i, struct tw_sql_dialect d)
{
    uint8_t c = s.data[i], next = tw_u8(s, i + 1);

    if (c == '/' && next == '*') {
        for (i += 2; i < s.len; i++)
            if (s.data[i] == '*' && tw_u8(s, i + 1) == '/')
                return i + 2;
        return s.len;
    }
    if ((c == '-' && next == '-') || (c == '#' && d.hash_comments))
        while (i < s.len && s.data[i] != '\n')
            i++;
    return i;
}

static size_t after_word(struct tw_bytes s, size_t i)
{
    while (i < s.len && is_word(s.data[i]))
        i++;
    return i;
}

/* 1, 1.5, .5, 1e-3, 0xff. */
static size_t after_number(struct tw_bytes s, size_t i)
{
    while (i < s.len && (is_word(s.data[i]) || s.data[i] == '.' ||
                         ((s.data[i] == '-' || s.data[i] == '+') && (s.data[i - 1] | 0x20) == 'e')))
        i++;
    return i;
}

static bool is_number(struct tw_bytes s, size_t i)
{
    return g_ascii_isdigit(s.data[i]) || (s.data[i] == '.' && g_ascii_isdigit(tw_u8(s, i + 1)));
}

/* A prefix of a string literal: E'', N'', B'', X'', U&''. */
static size_t prefix_len(struct tw_bytes s, size_t i)
{
    static const char prefixes[] = "EeNnBbXx";

    if (memchr(prefixes, s.data[i], sizeof prefixes - 1) && tw_u8(s, i + 1) == '\'')
        return 1;
    return (s.data[i] | 0x20) == 'u' && tw_u8(s, i + 1) == '&' && tw_u8(s, i + 2) == '\'' ? 2 : 0;
}

/* A literal at i; @return what follows it, or i: there is none. */
static size_t after_literal(struct tw_bytes s, size_t i, struct tw_sql_dialect d)
{
    size_t prefix = prefix_len(s, i);

    if (s.data[i] == '\'' || prefix > 0)
        return after_quote(s, i + prefix, d.backslash || (s.data[i] | 0x20) == 'e');
    if (s.data[i] == '"' && d.quoted_text)
        return after_quote(s, i, d.backslash);
    if (s.data[i] == '$')
        return after_dollars(s, i);
    return is_number(s, i) ? after_number(s, i) : i;
}

/* Rows of values become one. */
static void end_list(struct out *o)
{
    static const char *const two[] = { "(?), (?)", "(?),(?)" };

    put(o, ')');
    for (size_t i = 0; i < G_N_ELEMENTS(two); i++) {
        size_t len = strlen(two[i]);

        if (o->len >= len && memcmp(o->text + o->len - len, two[i], len) == 0)
            o->len -= len - strlen("(?)");
    }
}

static size_t copy_to(struct out *o, struct tw_bytes s, size_t i, size_t end)
{
    for (; i < end && !o->full; i++)
        put(o, s.data[i]);
    return end;
}

/* One token. @return what follows it. */
static size_t token(struct out *o, struct tw_bytes s, size_t i, struct tw_sql_dialect d)
{
    size_t end = is_space(s.data[i]) ? i + 1 : after_comment(s, i, d);

    if (end > i) {
        o->space = true;
        return end;
    }
    end = after_literal(s, i, d);
    if (end > i) {
        put_value(o);
        return end;
    }
    if (s.data[i] == ')') {
        end_list(o);
        return i + 1;
    }
    if (s.data[i] == '"' || s.data[i] == '`')
        return copy_to(o, s, i, after_quote(s, i, false));
    return copy_to(o, s, i, MAX(after_word(s, i), i + 1));
}

size_t tw_sql_shorten(char *text, struct tw_bytes sql, struct tw_sql_dialect dialect, bool more)
{
    struct out o = { text, 0, false, false };

    for (size_t i = 0; i < sql.len && !o.full;)
        i = token(&o, sql, i, dialect);
    if (o.full || more) {
        memcpy(text + o.len, "...", 3);
        o.len += 3;
    }
    text[o.len] = '\0';
    return o.len;
}
