/* SPDX-License-Identifier: MIT */
/*
 * The destination of rendered bytes: buffered, and handed to the caller's function in pieces. Once
 * that function has returned false, nothing more is written.
 */
#ifndef TW_RENDER_WRITERS_WRITER_H
#define TW_RENDER_WRITERS_WRITER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <glib.h>

#include <tcpwhy/render.h>

struct tw_writer {
    tcpwhy_write_fn write;
    void *user;
    bool stopped;
    size_t gone; /* bytes that are no longer here */
    size_t n;
    char bytes[8192];
};

void tw_writer_init(struct tw_writer *out, tcpwhy_write_fn write, void *user);

/* As much as fills the buffer, or more. */
void tw_writer_overflow(struct tw_writer *out, const char *bytes, size_t len);

/* Most pieces are a few bytes that fit: they are stored where they are written. */
static inline void tw_writer_bytes(struct tw_writer *out, const char *bytes, size_t len)
{
    if (len < sizeof(out->bytes) - out->n) {
        memcpy(out->bytes + out->n, bytes, len);
        out->n += len;
    } else {
        tw_writer_overflow(out, bytes, len);
    }
}

void tw_writer_text(struct tw_writer *out, const char *text);
void tw_writer_repeat(struct tw_writer *out, const char *text, unsigned times);
/* Text of our own, which is short; what came off the wire has no bound. */
void tw_writer_printf(struct tw_writer *out, const char *format, ...) G_GNUC_PRINTF(2, 3);
void tw_writer_vprintf(struct tw_writer *out, const char *format, va_list args) G_GNUC_PRINTF(2, 0);

/* Any text, made safe for XML and HTML, as content and as an attribute in quotes: markup becomes
 * entities; controls and what is not UTF-8 are written out, as on a terminal. */
void tw_writer_escaped(struct tw_writer *out, const char *text);

/* Bytes so far. */
static inline size_t tw_writer_total(const struct tw_writer *out)
{
    return out->gone + out->n;
}

/* Write the rest. @return 0, or TCPWHY_ERR_STOPPED. */
int tw_writer_finish(struct tw_writer *out);

#endif
