/* SPDX-License-Identifier: MIT */
/*
 * Writing SVG: one file that needs no other, light or dark as its reader likes it, the same bytes
 * for the same report. Coordinates are in tenths of a pixel, so that no locale and no rounding of
 * the C library shows.
 */
#ifndef TW_RENDER_WRITERS_SVG_H
#define TW_RENDER_WRITERS_SVG_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "render/writers/palette.h"
#include "render/writers/writer.h"

/* Tenths of a pixel. */
#define TW_PX(n) ((int)(n)*10)

/* Columns that a text of 12 pixels takes, at most: they are made for fitting, not for measuring. */
#define TW_SVG_SANS 72
#define TW_SVG_MONO 73

struct tw_svg_page {
    int width, height;
    const char *title;   /* what a screen reader says */
    tw_cause_set causes; /* whose colours are wanted */
    bool curves;         /* and those of a graph's curves */
    bool in_html;        /* a part of a page, not a file */
};

void tw_svg_begin(struct tw_writer *svg, const struct tw_svg_page *page);
void tw_svg_end(struct tw_writer *svg);

/* A coordinate behind a command of a path, "H12.5"; two of them, "M12.5 40"; an attribute, `
 * x="12.5"`.
 */
void tw_svg_to(struct tw_writer *svg, const char *command, int tenths);
void tw_svg_point(struct tw_writer *svg, const char *command, int x, int y);
void tw_svg_attribute(struct tw_writer *svg, const char *name, int tenths);

/* Elements; classes are names of the style sheet, or "c-" and a cause. */
void tw_svg_text(struct tw_writer *svg, const char *classes, int x, int y, const char *text);
void tw_svg_line(struct tw_writer *svg, const char *classes, int x1, int y1, int x2, int y2);
/* A picture's title at x, smaller where two IPv6 endpoints would run over the edge at `right`. */
void tw_svg_heading(struct tw_writer *svg, int x, int y, int right, const char *text);
/* title NULL: none. */
void tw_svg_rect(struct tw_writer *svg, const char *classes, int x, int y, int width, int height,
                 const char *title);
/* <g> with a <title>, to be closed by tw_svg_close(). */
void tw_svg_group(struct tw_writer *svg, const char *classes, const char *title);
void tw_svg_close(struct tw_writer *svg);

/* A <style> with the rules of all pictures, the colours of some causes, and those of curves. */
void tw_svg_style(struct tw_writer *out, tw_cause_set causes, bool curves);

#endif
