/* SPDX-License-Identifier: MIT */
/*
 * The buffer between a renderer, which writes a few bytes at a time, and the caller's function.
 */
#include "render/out.h"

#include <stdio.h>
#include <string.h>

#include <tcpwhy/tcpwhy.h>

/* Holds every format with its integers and words. */
#define MAX_FORMATTED 512

void tw_out_init(struct tw_out *out, tcpwhy_write_fn write, void *user)
{
    out->write = write;
    out->user = user;
    out->stopped = false;
    out->gone = 0;
    out->n = 0;
}

static void flush(struct tw_out *out)
{
    if (out->n > 0 && !out->stopped)
        out->stopped = !out->write(out->user, out->bytes, out->n);
    out->gone += out->n;
    out->n = 0;
}

__attribute__((noinline)) void tw_out_overflow(struct tw_out *out, const char *bytes, size_t len)
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

void tw_out_text(struct tw_out *out, const char *text)
{
    tw_out_bytes(out, text, strlen(text));
}

void tw_out_repeat(struct tw_out *out, const char *text, unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        tw_out_text(out, text);
}

void tw_out_vprintf(struct tw_out *out, const char *format, va_list args)
{
    char text[MAX_FORMATTED];

    vsnprintf(text, sizeof(text), format, args);
    tw_out_text(out, text);
}

void tw_out_printf(struct tw_out *out, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tw_out_vprintf(out, format, args);
    va_end(args);
}

int tw_out_finish(struct tw_out *out)
{
    flush(out);
    return out->stopped ? TCPWHY_ERR_STOPPED : 0;
}
