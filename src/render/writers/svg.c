/* SPDX-License-Identifier: MIT */
/*
 * Elements and escaping; how they look stands in svg_style.c.
 */
#include "render/writers/svg.h"

#include <stdarg.h>
#include <stdio.h>

#include "render/writers/markup.h"
#include "render/writers/text.h"

void tw_svg_put(struct tw_svg *svg, const char *markup)
{
    tw_writer_text(svg->out, markup);
}

void tw_svg_putf(struct tw_svg *svg, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tw_writer_vprintf(svg->out, format, args);
    va_end(args);
}

void tw_svg_escaped(struct tw_svg *svg, const char *text)
{
    tw_markup_escaped(svg->out, text);
}

void tw_svg_number(struct tw_svg *svg, int tenths)
{
    unsigned size = tenths < 0 ? 0u - (unsigned)tenths : (unsigned)tenths;

    tw_svg_putf(svg, size % 10 ? "%s%u.%u" : "%s%u", tenths < 0 ? "-" : "", size / 10, size % 10);
}

void tw_svg_attribute(struct tw_svg *svg, const char *name, int tenths)
{
    tw_svg_putf(svg, " %s=\"", name);
    tw_svg_number(svg, tenths);
    tw_svg_put(svg, "\"");
}

static void classes_of(struct tw_svg *svg, const char *classes)
{
    if (classes[0])
        tw_svg_putf(svg, " class=\"%s\"", classes);
}

void tw_svg_text(struct tw_svg *svg, const char *classes, int x, int y, const char *text)
{
    tw_svg_put(svg, "<text");
    classes_of(svg, classes);
    tw_svg_attribute(svg, "x", x);
    tw_svg_attribute(svg, "y", y);
    tw_svg_put(svg, ">");
    tw_svg_escaped(svg, text);
    tw_svg_put(svg, "</text>\n");
}

/* Columns of a title of 16 bold pixels; beyond that 12 bold ones have to do. */
#define HEADING_COLUMN 104

void tw_svg_heading(struct tw_svg *svg, int x, int y, int right, const char *text)
{
    bool fits = x + (int)tw_text_width(text, false) * HEADING_COLUMN <= right;

    tw_svg_text(svg, fits ? "h" : "b", x, y, text);
}

void tw_svg_line(struct tw_svg *svg, const char *classes, int x1, int y1, int x2, int y2)
{
    tw_svg_put(svg, "<path");
    classes_of(svg, classes);
    tw_svg_put(svg, " d=\"M");
    tw_svg_number(svg, x1);
    tw_svg_put(svg, " ");
    tw_svg_number(svg, y1);
    tw_svg_put(svg, "L");
    tw_svg_number(svg, x2);
    tw_svg_put(svg, " ");
    tw_svg_number(svg, y2);
    tw_svg_put(svg, "\"/>\n");
}

static void title_of(struct tw_svg *svg, const char *title)
{
    tw_svg_put(svg, "<title>");
    tw_svg_escaped(svg, title);
    tw_svg_put(svg, "</title>");
}

void tw_svg_rect(struct tw_svg *svg, const char *classes, int x, int y, int width, int height,
                 const char *title)
{
    tw_svg_put(svg, "<rect");
    classes_of(svg, classes);
    tw_svg_attribute(svg, "x", x);
    tw_svg_attribute(svg, "y", y);
    tw_svg_attribute(svg, "width", width);
    tw_svg_attribute(svg, "height", height);
    if (title) {
        tw_svg_put(svg, ">");
        title_of(svg, title);
        tw_svg_put(svg, "</rect>\n");
    } else {
        tw_svg_put(svg, "/>\n");
    }
}

void tw_svg_group(struct tw_svg *svg, const char *classes, const char *title)
{
    tw_svg_put(svg, "<g");
    classes_of(svg, classes);
    tw_svg_put(svg, ">");
    title_of(svg, title);
    tw_svg_put(svg, "\n");
}

void tw_svg_close(struct tw_svg *svg)
{
    tw_svg_put(svg, "</g>\n");
}

void tw_svg_begin(struct tw_svg *svg, struct tw_writer *out, const struct tw_svg_page *page)
{
    svg->out = out;
    if (!page->in_html)
        tw_svg_put(svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    tw_svg_put(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tcpwhy\" role=\"img\"");
    tw_svg_attribute(svg, "width", page->width);
    tw_svg_attribute(svg, "height", page->height);
    tw_svg_put(svg, " viewBox=\"0 0 ");
    tw_svg_number(svg, page->width);
    tw_svg_put(svg, " ");
    tw_svg_number(svg, page->height);
    tw_svg_put(svg, "\">\n");
    title_of(svg, page->title);
    tw_svg_put(svg, "\n");
    tw_svg_style(out, page->causes, page->curves);
    tw_svg_rect(svg, "ground", 0, 0, page->width, page->height, NULL);
}

void tw_svg_end(struct tw_svg *svg)
{
    tw_svg_put(svg, "</svg>\n");
}
