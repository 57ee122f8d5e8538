/* SPDX-License-Identifier: MIT */
/*
 * Commas, nesting and escaping of JSON. Nesting is bounded by the documents that we write, never
 * by what was captured.
 */
#include "render/writers/json.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "base/digits.h"
#include "base/number.h"

#define REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

void tw_json_init(struct tw_json *json, struct tw_writer *out, unsigned break_depth)
{
    json->out = out;
    json->depth = 0;
    json->break_depth = break_depth;
    json->embedded = false;
}

static void new_line(struct tw_json *json)
{
    tw_writer_text(json->out, "\n");
    tw_writer_repeat(json->out, "  ", json->depth);
}

/* Beyond what JSON asks for. */
static bool escapes(const struct tw_json *json, gunichar c)
{
    /* "</script>" and "<!--" mean something where the text stands in a page. */
    if (c == '<' && json->embedded)
        return true;
    /* C1 controls and the marks that turn a terminal's text around. */
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x200E && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

static void put_escaped(struct tw_writer *out, gunichar c)
{
    static const char codes[] = "\b\t\n\f\r", letters[] = "btnfr";
    const char *code = c < 0x20 && c ? strchr(codes, (int)c) : NULL;
    char text[16];

    if (code)
        snprintf(text, sizeof(text), "\\%c", letters[code - codes]);
    else
        snprintf(text, sizeof(text), "\\u%04x", (unsigned)c);
    tw_writer_text(out, text);
}

/* Length of the prefix that needs no escaping: mostly the whole text. */
static size_t plain(const char *text)
{
    /* Printable ASCII but quotes, "<" and backslashes. */
    static const bool is_plain[256] = {
        [' '] = 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* to / */
        1,         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, /* 0 to ? */
        1,         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* @ to O */
        1,         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, /* P to _ */
        1,         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, /* ` to o */
        1,         1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, /* p to ~ */
    };
    size_t n = 0;

    while (is_plain[(guchar)text[n]])
        n++;
    return n;
}

/* Not inlined: few texts have one. @return what comes after it. */
__attribute__((noinline)) static const char *put_character(struct tw_json *json, const char *text)
{
    gunichar c = g_utf8_get_char_validated(text, -1);

    if (c == (gunichar)-1 || c == (gunichar)-2) {
        tw_writer_text(json->out, REPLACEMENT);
        return text + 1;
    }
    if (c == '"' || c == '\\')
        tw_writer_text(json->out, "\\");
    if (escapes(json, c))
        put_escaped(json->out, c);
    else
        tw_writer_bytes(json->out, text, g_utf8_skip[(guchar)*text]);
    return text + g_utf8_skip[(guchar)*text];
}

static void put_quoted(struct tw_json *json, const char *text)
{
    tw_writer_bytes(json->out, "\"", 1);
    for (;;) {
        size_t n = plain(text);

        tw_writer_bytes(json->out, text, n);
        text += n;
        if (!*text)
            break;
        text = put_character(json, text);
    }
    tw_writer_bytes(json->out, "\"", 1);
}

static inline void put_mark(struct tw_writer *out, const char *mark, bool blank)
{
    tw_writer_bytes(out, mark, 1);
    if (blank)
        tw_writer_bytes(out, " ", 1);
}

/* The prefix of a value: comma, line break, key. */
static void before(struct tw_json *json, const char *key)
{
    if (json->depth > 0) {
        bool breaks = json->depth <= json->break_depth;

        assert((key != NULL) == (json->closing[json->depth - 1] == '}'));
        if (!json->empty[json->depth - 1])
            put_mark(json->out, ",", !breaks && !json->embedded);
        json->empty[json->depth - 1] = false;
        if (breaks)
            new_line(json);
    }
    if (key) {
        put_quoted(json, key);
        put_mark(json->out, ":", !json->embedded);
    }
}

static void begin(struct tw_json *json, const char *key, const char *opening, char closing)
{
    before(json, key);
    assert(json->depth < TW_JSON_MAX_DEPTH);
    tw_writer_text(json->out, opening);
    json->closing[json->depth] = closing;
    json->empty[json->depth] = true;
    json->depth++;
}

void tw_json_object(struct tw_json *json, const char *key)
{
    begin(json, key, "{", '}');
}

void tw_json_array(struct tw_json *json, const char *key)
{
    begin(json, key, "[", ']');
}

void tw_json_end(struct tw_json *json)
{
    bool breaks;

    assert(json->depth > 0);
    breaks = json->depth <= json->break_depth;
    json->depth--;
    if (breaks && !json->empty[json->depth])
        new_line(json);
    tw_writer_bytes(json->out, &json->closing[json->depth], 1);
    if (json->depth == 0)
        tw_writer_text(json->out, "\n");
}

static void put(struct tw_json *json, const char *key, const char *value)
{
    before(json, key);
    tw_writer_text(json->out, value);
}

void tw_json_string(struct tw_json *json, const char *key, const char *text)
{
    if (!text) {
        tw_json_null(json, key);
        return;
    }
    before(json, key);
    put_quoted(json, text);
}

void tw_json_int(struct tw_json *json, const char *key, int64_t value)
{
    char text[TW_DIGITS];

    before(json, key);
    tw_writer_bytes(json->out, text, (size_t)(tw_digits_put_signed(text, value) - text));
}

void tw_json_uint(struct tw_json *json, const char *key, uint64_t value)
{
    char text[TW_DIGITS];

    before(json, key);
    tw_writer_bytes(json->out, text, (size_t)(tw_digits_put(text, value) - text));
}

void tw_json_bool(struct tw_json *json, const char *key, bool value)
{
    put(json, key, value ? "true" : "false");
}

void tw_json_null(struct tw_json *json, const char *key)
{
    put(json, key, "null");
}

void tw_json_known(struct tw_json *json, const char *key, bool known, int64_t value)
{
    if (known)
        tw_json_int(json, key, value);
    else
        tw_json_null(json, key);
}

void tw_json_real(struct tw_json *json, const char *key, double value)
{
    bool finite = value - value == 0;

    put(json, key, finite ? tw_real(value).text : "null");
}

static void put_time(struct tw_json *json, const char *key, tcpwhy_ns ns, unsigned scale)
{
    put(json, key, ns == TCPWHY_NS_UNKNOWN ? "null" : tw_fixed(ns, scale, scale, false).text);
}

void tw_json_ms(struct tw_json *json, const char *key, tcpwhy_ns ns)
{
    put_time(json, key, ns, 6);
}

void tw_json_us(struct tw_json *json, const char *key, tcpwhy_ns ns)
{
    put_time(json, key, ns, 3);
}

void tw_json_frame(struct tw_json *json, const char *key, uint32_t frame)
{
    tw_json_known(json, key, frame != 0, frame);
}

void tw_json_endpoint(struct tw_json *json, const char *key, const struct tcpwhy_endpoint *endpoint)
{
    char text[TCPWHY_ENDPOINT_TEXT];

    tw_json_string(json, key, endpoint->version ? tcpwhy_endpoint_format(endpoint, text) : NULL);
}
