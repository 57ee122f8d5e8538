/* SPDX-License-Identifier: MIT */
/*
 * Heat maps as text, JSON, CSV and SVG.
 *
 *        44 ms |  .:###::..
 *        13 ms | .::
 *              +----------- 1 s a column
 *     requests |  23 40 ...
 */
#include "render/pictures/heat_map.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/text.h"
#include "render/pictures/graph.h"
#include "render/view/view.h"
#include "render/writers/svg.h"
#include "render/writers/text.h"

#define LABEL 11

/* The share of the fullest cell on a scale of logarithms: single requests show beside thousands. */
static unsigned shade_of(const struct tw_heat *h, uint32_t n, unsigned levels)
{
    double most = log1p(h->most);

    if (n == 0)
        return 0;
    return MAX((unsigned)(log1p(n) / most * levels + 0.5), 1);
}

/* The most requests of a column. */
static uint32_t most_asked(const struct tw_heat *h)
{
    uint32_t most = 1;

    for (guint c = 0; c < h->columns; c++)
        most = MAX(most, h->asked[c]);
    return most;
}

static void map_row(struct tw_layout *page, const struct tw_heat *h, guint row)
{
    static const char *const blocks[] = { " ", "\u2591", "\u2592", "\u2593", "\u2588" };
    static const char *const ascii[] = { " ", ".", ":", "+", "#" };
    g_autoptr(tw_string) line = tw_string_new(NULL);
    struct tw_short_text bound = tw_duration(tw_heat_bound(h, row));

    tw_layout_tab(page, LABEL - MIN(tw_text_width(bound.text, page->ascii), LABEL));
    tw_layout_put(page, TW_TONE_QUIET, bound.text);
    for (guint c = 0; c < h->columns; c++)
        tw_string_append(line,
                         (page->ascii ? ascii : blocks)[shade_of(h, tw_heat_count(h, c, row), 4)]);
    tw_layout_put(page, TW_TONE_QUIET, page->ascii ? " |" : " \u2502");
    g_strchomp(line->str);
    tw_layout_put(page, TW_TONE_PLAIN, line->str);
    tw_layout_end_line(page);
}

/* Requests of each column, as bars of eight heights. */
static void asked_row(struct tw_layout *page, const struct tw_heat *h, uint32_t most)
{
    static const char ascii[] = " .-=+*oO#";
    g_autoptr(tw_string) line = tw_string_new(NULL);

    for (guint c = 0; c < h->columns; c++) {
        unsigned level = h->asked[c] ? MAX((unsigned)((uint64_t)h->asked[c] * 8 / most), 1) : 0;

        if (page->ascii)
            tw_string_append_c(line, ascii[level]);
        else if (level == 0)
            tw_string_append_c(line, ' ');
        else
            tw_string_append_unichar(line, 0x2580 + level);
    }
    g_strchomp(line->str);
    tw_layout_tab(page, LABEL - 8);
    tw_layout_put(page, TW_TONE_QUIET, page->ascii ? "requests |" : "requests \u2502");
    tw_layout_put(page, TW_TONE_PLAIN, line->str);
    tw_layout_end_line(page);
}

void tw_heat_map_text(struct tw_layout *page, const struct tw_heat *h)
{
    uint32_t most = most_asked(h);

    tw_layout_putf(page, TW_TONE_QUIET, "Latency over time, from %s s; a column is ",
                   tw_seconds(h->from_ns, 1).text);
    tw_layout_putf(page, TW_TONE_QUIET, "%s, %s requests at most", tw_duration(h->step_ns).text,
                   tw_count(most).text);
    tw_layout_end_line(page);
    for (guint row = h->rows; row-- > 0;)
        map_row(page, h, row);
    asked_row(page, h, most);
}

void tw_heat_map_json(struct tw_json *json, const char *key, const struct tw_heat *h)
{
    tw_json_object(json, key);
    tw_json_ms(json, "interval_ms", h->step_ns);
    tw_json_array(json, "bounds_ms");
    for (guint row = 0; row <= h->rows; row++)
        tw_json_ms(json, NULL, tw_heat_bound(h, row));
    tw_json_end(json);
    tw_json_array(json, "intervals");
    for (guint c = 0; c < h->columns; c++) {
        tw_json_object(json, NULL);
        tw_json_ms(json, "from_ms", h->from_ns + (tcpwhy_ns)c * h->step_ns);
        tw_json_uint(json, "requests", h->asked[c]);
        tw_json_uint(json, "unanswered", h->unanswered[c]);
        tw_json_ms(json, "p50_ms", h->p50_ns[c]);
        tw_json_ms(json, "p99_ms", h->p99_ns[c]);
        tw_json_ms(json, "max_ms", h->max_ns[c]);
        tw_json_array(json, "counts");
        for (guint row = 0; row < h->rows; row++)
            tw_json_uint(json, NULL, tw_heat_count(h, c, row));
        tw_json_end(json);
        tw_json_end(json);
    }
    tw_json_end(json);
    tw_json_end(json);
}

void tw_heat_map_csv_head(struct tw_writer *out)
{
    tw_writer_text(out, "listener,from_ms,interval_ms,requests,requests_per_s,unanswered,p50_ms,"
                        "p99_ms,max_ms\n");
}

static void csv_ms(tw_string *line, tcpwhy_ns ns)
{
    tw_string_append_c(line, ',');
    if (ns != TCPWHY_NS_UNKNOWN)
        tw_string_append(line, tw_fixed(ns, 6, 6, false).text);
}

void tw_heat_map_csv(struct tw_writer *out, const struct tcpwhy_endpoint *endpoint,
                     const struct tw_heat *h)
{
    g_autoptr(tw_string) line = tw_string_new(NULL);

    for (guint c = 0; c < h->columns && !out->stopped; c++) {
        tw_string_assign(line, tw_endpoint(endpoint).text);
        csv_ms(line, h->from_ns + (tcpwhy_ns)c * h->step_ns);
        csv_ms(line, h->step_ns);
        tw_string_append_printf(line, ",%" PRIu32 ",%s,%" PRIu32, h->asked[c],
                                tw_real((double)h->asked[c] * 1e9 / (double)h->step_ns).text,
                                h->unanswered[c]);
        csv_ms(line, h->p50_ns[c]);
        csv_ms(line, h->p99_ns[c]);
        csv_ms(line, h->max_ns[c]);
        tw_string_append_c(line, '\n');
        tw_writer_bytes(out, line->str, line->len);
    }
}

/* ---- SVG ------------------------------------------------------------------------------------- */

#define WIDTH      TW_PX(1000)
#define MARGIN     TW_PX(20)
#define LEFT       TW_PX(84)
#define RIGHT      TW_PX(976)
#define TOP        TW_PX(62)
#define MAP_HEIGHT TW_PX(240)
#define GAP        TW_PX(14)
#define BAR_HEIGHT TW_PX(60)
#define SECTION    TW_PX(440)

/* More servers are in the JSON. */
#define MAX_SECTIONS 12

#define SHADES  8
#define Y_TICKS 6
#define X_TICKS 10

static int column_at(const struct tw_heat *h, guint column)
{
    return LEFT + (int)((int64_t)(RIGHT - LEFT) * column / h->columns);
}

static int row_at(const struct tw_heat *h, int y, guint row)
{
    return y + MAP_HEIGHT - (int)((int64_t)MAP_HEIGHT * row / h->rows);
}

/* All cells of a shade are one path. */
static void cells_of(struct tw_writer *svg, const struct tw_heat *h, int y, unsigned shade)
{
    bool any = false;

    for (guint c = 0; c < h->columns; c++) {
        for (guint r = 0; r < h->rows; r++) {
            int left = column_at(h, c), low = row_at(h, y, r);

            if (shade_of(h, tw_heat_count(h, c, r), SHADES) != shade)
                continue;
            if (!any)
                tw_writer_printf(svg, "<path fill=\"#2f81c7\" fill-opacity=\".%u\" d=\"",
                                 MIN(12 + shade * 88 / SHADES, 99));
            any = true;
            tw_writer_printf(svg, "M%d %dH%dV%dH%dz", left / 10, low / 10, column_at(h, c + 1) / 10,
                             row_at(h, y, r + 1) / 10, left / 10);
        }
    }
    if (any)
        tw_writer_text(svg, "\"/>\n");
}

static void y_axis(struct tw_writer *svg, const struct tw_heat *h, int y)
{
    guint every = MAX((h->rows + Y_TICKS - 1) / Y_TICKS, 1);

    for (guint r = 0; r <= h->rows; r += every) {
        int at = row_at(h, y, r);

        tw_svg_line(svg, "grid", LEFT, at, RIGHT, at);
        tw_svg_text(svg, "s e", LEFT - TW_PX(6), at + TW_PX(4),
                    tw_duration(tw_heat_bound(h, r)).text);
    }
    tw_svg_line(svg, "rail", LEFT, y, LEFT, y + MAP_HEIGHT);
    tw_svg_line(svg, "rail", LEFT, y + MAP_HEIGHT, RIGHT, y + MAP_HEIGHT);
}

static void x_axis(struct tw_writer *svg, const struct tw_heat *h, int y)
{
    struct tw_axis x =
        tw_axis_of_time(h->from_ns, h->from_ns + (tcpwhy_ns)h->columns * h->step_ns, X_TICKS);

    x.at_low = LEFT;
    x.at_high = RIGHT;
    tw_axis_draw_time(svg, &x, y, y + MAP_HEIGHT, y + MAP_HEIGHT + GAP + BAR_HEIGHT + TW_PX(16));
}

static void bars(struct tw_writer *svg, const struct tw_heat *h, int y)
{
    uint32_t most = most_asked(h);
    int ground = y + BAR_HEIGHT;

    tw_writer_text(svg, "<path fill=\"#2f81c7\" d=\"");
    for (guint c = 0; c < h->columns; c++) {
        int height = (int)((int64_t)BAR_HEIGHT * h->asked[c] / most);

        if (height > 0)
            tw_writer_printf(svg, "M%d %dH%dV%dH%dz", column_at(h, c) / 10, ground / 10,
                             column_at(h, c + 1) / 10, (ground - height) / 10,
                             column_at(h, c) / 10);
    }
    tw_writer_text(svg, "\"/>\n");
    tw_svg_line(svg, "rail", LEFT, ground, RIGHT, ground);
    tw_svg_text(svg, "s e", LEFT - TW_PX(6), y + TW_PX(8),
                tw_count((uint64_t)((double)most * 1e9 / (double)h->step_ns + 0.5)).text);
    tw_svg_text(svg, "q s e", LEFT - TW_PX(6), y + TW_PX(24), "requests/s");
}

static void section(struct tw_writer *svg, const struct tw_service *s, const struct tw_heat *h,
                    int y)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_string_append(text, "Latency over time, ");
    tw_text_holder(text, &s->endpoint, s->server_name, TCPWHY_PARTY_NONE);
    tw_svg_heading(svg, MARGIN, y + TW_PX(24), WIDTH, text->str);
    tw_string_printf(text,
                     "%s requests; a column is %s; the darker, the more requests (logarithmic)",
                     tw_count(s->requests->len).text, tw_duration(h->step_ns).text);
    tw_svg_text(svg, "q", MARGIN, y + TW_PX(44), text->str);
    x_axis(svg, h, y + TOP);
    y_axis(svg, h, y + TOP);
    for (unsigned shade = 1; shade <= SHADES; shade++)
        cells_of(svg, h, y + TOP, shade);
    bars(svg, h, y + TOP + MAP_HEIGHT + GAP);
}

void tw_heat_map_svg(struct tw_writer *out, const struct tw_service *services, size_t n,
                     bool in_html)
{
    struct tw_heat *maps = tw_new0(struct tw_heat, MAX_SECTIONS);
    const struct tw_service *of[MAX_SECTIONS];
    struct tw_svg_page page = { .width = WIDTH, .title = "latency over time", .in_html = in_html };
    int shown = 0;

    for (size_t i = 0; i < n && shown < MAX_SECTIONS; i++)
        if (tw_heat_make(&services[i], TW_HEAT_MAP_COLUMNS, TW_HEAT_MAP_ROWS, &maps[shown]))
            of[shown++] = &services[i];
    page.height = MARGIN + MAX(shown, 1) * SECTION - (shown ? 0 : SECTION - TW_PX(60));
    tw_svg_begin(out, &page);
    if (shown == 0)
        tw_svg_heading(out, MARGIN, TW_PX(28), WIDTH, "No request/response pair was found.");
    for (int i = 0; i < shown; i++) {
        section(out, of[i], &maps[i], i * SECTION);
        tw_heat_clear(&maps[i]);
    }
    tw_svg_end(out);
    tw_free(maps);
}
