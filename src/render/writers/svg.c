/* SPDX-License-Identifier: MIT */
/*
 * Elements and escaping; how they look stands in svg_style.c.
 */
#include "render/writers/svg.h"

#include "render/writers/text.h"

void tw_svg_to(struct tw_writer *svg, const char *command, int tenths)
{
    unsigned size = tenths < 0 ? 0u - (unsigned)tenths : (unsigned)tenths;

    tw_writer_printf(svg, size % 10 ? "%s%s%u.%u" : "%s%s%u", command, tenths < 0 ? "-" : "",
                     size / 10, size % 10);
}

void tw_svg_point(struct tw_writer *svg, const char *command, int x, int y)
{
    tw_svg_to(svg, command, x);
    tw_svg_to(svg, " ", y);
}

void tw_svg_attribute(struct tw_writer *svg, const char *name, int tenths)
{
    tw_writer_printf(svg, " %s", name);
    tw_svg_to(svg, "=\"", tenths);
    tw_writer_text(svg, "\"");
}

static void classes_of(struct tw_writer *svg, const char *classes)
{
    if (classes[0])
        tw_writer_printf(svg, " class=\"%s\"", classes);
}

void tw_svg_text(struct tw_writer *svg, const char *classes, int x, int y, const char *text)
{
    tw_writer_text(svg, "<text");
    classes_of(svg, classes);
    tw_svg_attribute(svg, "x", x);
    tw_svg_attribute(svg, "y", y);
    tw_writer_text(svg, ">");
    tw_writer_escaped(svg, text);
    tw_writer_text(svg, "</text>\n");
}

/* Columns of a title of 16 bold pixels; beyond that 12 bold ones have to do. */
#define HEADING_COLUMN 104

void tw_svg_heading(struct tw_writer *svg, int x, int y, int right, const char *text)
{
    bool fits = x + (int)tw_text_width(text, false) * HEADING_COLUMN <= right;

    tw_svg_text(svg, fits ? "h" : "b", x, y, text);
}

void tw_svg_line(struct tw_writer *svg, const char *classes, int x1, int y1, int x2, int y2)
{
    tw_writer_text(svg, "<path");
    classes_of(svg, classes);
    tw_svg_point(svg, " d=\"M", x1, y1);
    tw_svg_point(svg, "L", x2, y2);
    tw_writer_text(svg, "\"/>\n");
}

static void title_of(struct tw_writer *svg, const char *title)
{
    tw_writer_text(svg, "<title>");
    tw_writer_escaped(svg, title);
    tw_writer_text(svg, "</title>");
}

void tw_svg_rect(struct tw_writer *svg, const char *classes, int x, int y, int width, int height,
                 const char *title)
{
    tw_writer_text(svg, "<rect");
    classes_of(svg, classes);
    tw_svg_attribute(svg, "x", x);
    tw_svg_attribute(svg, "y", y);
    tw_svg_attribute(svg, "width", width);
    tw_svg_attribute(svg, "height", height);
    if (title) {
        tw_writer_text(svg, ">");
        title_of(svg, title);
        tw_writer_text(svg, "</rect>\n");
    } else {
        tw_writer_text(svg, "/>\n");
    }
}

void tw_svg_group(struct tw_writer *svg, const char *classes, const char *title)
{
    tw_writer_text(svg, "<g");
    classes_of(svg, classes);
    tw_writer_text(svg, ">");
    title_of(svg, title);
    tw_writer_text(svg, "\n");
}

void tw_svg_close(struct tw_writer *svg)
{
    tw_writer_text(svg, "</g>\n");
}

void tw_svg_begin(struct tw_writer *svg, const struct tw_svg_page *page)
{
    if (!page->in_html)
        tw_writer_text(svg, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    tw_writer_text(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tcpwhy\" role=\"img\"");
    tw_svg_attribute(svg, "width", page->width);
    tw_svg_attribute(svg, "height", page->height);
    tw_svg_point(svg, " viewBox=\"0 0 ", page->width, page->height);
    tw_writer_text(svg, "\">\n");
    title_of(svg, page->title);
    tw_writer_text(svg, "\n");
    tw_svg_style(svg, page->causes, page->curves);
    tw_svg_rect(svg, "ground", 0, 0, page->width, page->height, NULL);
}

void tw_svg_end(struct tw_writer *svg)
{
    tw_writer_text(svg, "</svg>\n");
}
