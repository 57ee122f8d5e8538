/* SPDX-License-Identifier: MIT */
/*
 * The buffer between a renderer, which writes a few bytes at a time, and the caller's function.
 */
#include "render/writers/writer.h"

#include <stdio.h>
#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "render/writers/text.h"

/* Holds every format with its integers and words. */
#define MAX_FORMATTED 512

void tw_writer_init(struct tw_writer *out, tcpwhy_write_fn write, void *user)
{
    out->write = write;
    out->user = user;
    out->stopped = false;
    out->gone = 0;
    out->n = 0;
}

static void flush(struct tw_writer *out)
{
    if (out->n > 0 && !out->stopped)
        out->stopped = !out->write(out->user, out->bytes, out->n);
    out->gone += out->n;
    out->n = 0;
}

__attribute__((noinline)) void tw_writer_overflow(struct tw_writer *out, const char *bytes,
                                                  size_t len)
{
    while (len > 0) {
        size_t room = sizeof(out->bytes) - out->n;
        size_t part = len < room ? len : room;

        memcpy(out->bytes + out->n, bytes, part);
        out->n += part;
        bytes += part;
        len -= part;
        if (out->n == sizeof(out->bytes))
            flush(out);
    }
}

void tw_writer_text(struct tw_writer *out, const char *text)
{
    tw_writer_bytes(out, text, strlen(text));
}

void tw_writer_repeat(struct tw_writer *out, const char *text, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        tw_writer_text(out, text);
}

void tw_writer_vprintf(struct tw_writer *out, const char *format, va_list args)
{
    char text[MAX_FORMATTED];

    vsnprintf(text, sizeof(text), format, args);
    tw_writer_text(out, text);
}

void tw_writer_printf(struct tw_writer *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tw_writer_vprintf(out, format, args);
    va_end(args);
}

static const char *entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void tw_writer_escaped(struct tw_writer *out, const char *text)
{
    char token[TW_TEXT_TOKEN];

    while (*text && !out->stopped) {
        const char *escaped;

        tw_text_next(&text, false, token);
        escaped = entity(token[0]);
        tw_writer_text(out, escaped ? escaped : token);
    }
}

int tw_writer_finish(struct tw_writer *out)
{
    flush(out);
    return out->stopped ? TCPWHY_ERR_STOPPED : 0;
}
