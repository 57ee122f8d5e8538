/* SPDX-License-Identifier: MIT */
/*
 * Heat maps as text, JSON and CSV.
 *
 *        44 ms |  .:###::..
 *        13 ms | .::
 *              +----------- 1 s a column
 *     requests |  23 40 ...
 */
#include "render/pictures/heat_map.h"

#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "render/writers/text.h"

#define LABEL 11

/* The share of the fullest cell on a scale of logarithms: single requests show beside thousands. */
static unsigned shade(const struct tw_heat *h, uint32_t n, unsigned levels)
{
    double most = log1p(h->most);

    if (n == 0)
        return 0;
    return MAX((unsigned)(log1p(n) / most * levels + 0.5), 1);
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
                         (page->ascii ? ascii : blocks)[shade(h, tw_heat_count(h, c, row), 4)]);
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
    uint32_t most = 1;

    for (guint c = 0; c < h->columns; c++)
        most = MAX(most, h->asked[c]);
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
    char number[TW_NUMBER_TEXT];

    for (guint c = 0; c < h->columns && !out->stopped; c++) {
        tw_string_assign(line, tw_endpoint(endpoint).text);
        csv_ms(line, h->from_ns + (tcpwhy_ns)c * h->step_ns);
        csv_ms(line, h->step_ns);
        tw_string_append_printf(
            line, ",%" PRIu32 ",%s,%" PRIu32, h->asked[c],
            tw_number_real((double)h->asked[c] * 1e9 / (double)h->step_ns, number),
            h->unanswered[c]);
        csv_ms(line, h->p50_ns[c]);
        csv_ms(line, h->p99_ns[c]);
        csv_ms(line, h->max_ns[c]);
        tw_string_append_c(line, '\n');
        tw_writer_bytes(out, line->str, line->len);
    }
}
