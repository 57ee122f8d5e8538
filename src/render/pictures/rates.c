/* SPDX-License-Identifier: MIT */
/* The rates of several streams and their sum: curves in one picture, rows, or arrays. */
#include <inttypes.h>

#include "base/array.h"
#include "render/pictures/graph.h"
#include "render/view/view.h"
#include "render/writers/svg.h"
#include "render/writers/text.h"
#include "report/figures/rates.h"

#define WIDTH       TW_PX(1000)
#define MARGIN      TW_PX(20)
#define LEFT        TW_PX(84)
#define RIGHT       TW_PX(976)
#define TOP         TW_PX(70)
#define BOTTOM      TW_PX(400)
#define LEGEND      TW_PX(460)
#define LINE_HEIGHT TW_PX(19)

/* More curves cannot be told apart; the sum holds all. */
#define MAX_CURVES 12

#define X_TICKS 10
#define Y_TICKS 7

/* Okabe and Ito's colours, readable on light and on dark; the sum is grey. */
static const char *const colours[] = { "#808890", "#0072b2", "#d55e00", "#009e73",
                                       "#cc79a7", "#e69f00", "#56b4e9", "#8b5cf6",
                                       "#b3101f", "#5d7a1f", "#1f9ba8", "#a0522d" };

static const struct tw_rate *rate_at(const struct tw_rates *r, guint i)
{
    return &tw_array_index(r->rate, struct tw_rate, i);
}

static double highest(const struct tw_rates *r)
{
    double most = 1;

    for (guint i = 0; i < r->n; i++)
        most = MAX(most, tw_rates_bits(r, rate_at(r, 0), i));
    return most;
}

static void curve(struct tw_writer *svg, const struct tw_rates *r, guint k, const struct tw_axis *x,
                  const struct tw_axis *y)
{
    const struct tw_rate *rate = rate_at(r, k);

    tw_writer_printf(svg, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\" d=\"", colours[k],
                     rate->stream ? "1.5" : "2.5");
    for (guint i = 0; i < r->n; i++) {
        tcpwhy_ns from_ns = r->from_ns + (tcpwhy_ns)i * r->interval_ns;
        int at = tw_axis_at(y, (int64_t)tw_rates_bits(r, rate, i));

        tw_svg_to(svg, i ? "H" : "M", tw_axis_at(x, from_ns));
        tw_svg_to(svg, i ? "V" : " ", at);
    }
    tw_svg_to(svg, "H", tw_axis_at(x, r->to_ns));
    tw_writer_text(svg, "\"/>\n");
}

/* "stream 3, 10.0.0.1:40000 → 10.0.0.2:80: 12.3 MB, 9.8 Mbit/s" */
static void describe(const struct tw_rates *r, const struct tw_rate *rate, tw_string *to)
{
    const struct tw_stream_row *s = rate->stream;
    double s_shown = (double)(r->to_ns - r->from_ns) / 1e9;

    if (s) {
        tw_string_printf(to, "stream %u, ", s->stream);
        tw_text_ends(to, s, rate->from);
    } else {
        tw_string_printf(to, "sum of %u streams", r->rate->len - 1);
    }
    tw_string_append_printf(
        to, ": %s, %s on average", tw_byte_size(rate->total_bytes).text,
        tw_bit_rate((int64_t)((double)rate->total_bytes * 8 / MAX(s_shown, 1e-9))).text);
}

static void legend(struct tw_writer *svg, const struct tw_rates *r, guint shown)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    for (guint k = 0; k < shown; k++) {
        int y = LEGEND + (int)k * LINE_HEIGHT;

        describe(r, rate_at(r, k), text);
        tw_writer_printf(svg, "<path stroke=\"%s\" stroke-width=\"3\" d=\"M%d %dH%d\"/>\n",
                         colours[k], LEFT / 10, y / 10 - 4, LEFT / 10 + 20);
        tw_svg_text(svg, "", LEFT + TW_PX(26), y, text->str);
    }
    if (r->rate->len > shown) {
        tw_string_printf(text, "%u more in the sum", r->rate->len - shown);
        tw_svg_text(svg, "q", LEFT + TW_PX(26), LEGEND + (int)shown * LINE_HEIGHT, text->str);
    }
}

static void draw(const struct tw_rates *r, struct tw_writer *out)
{
    guint shown = MIN(r->rate->len, MAX_CURVES);
    const struct tw_svg_page page = { .width = WIDTH,
                                      .height = LEGEND + (int)(shown + 1) * LINE_HEIGHT,
                                      .title = "throughput of several streams" };
    struct tw_axis x = tw_axis_of_time(r->from_ns, r->to_ns, X_TICKS);
    struct tw_axis y =
        tw_axis_of_values(TW_UNIT_BITS_PER_SECOND, 0, (int64_t)(highest(r) * 1.04) + 1, Y_TICKS);
    char text[2 * TW_SHORT_TEXT];

    x.at_low = LEFT;
    x.at_high = RIGHT;
    y.at_low = BOTTOM;
    y.at_high = TOP;
    tw_svg_begin(out, &page);
    tw_svg_heading(out, MARGIN, TW_PX(28), WIDTH, "Throughput of several streams and their sum");
    g_snprintf(text, sizeof text, "payload without retransmissions; intervals of %s",
               tw_duration(r->interval_ns).text);
    tw_svg_text(out, "q", MARGIN, TW_PX(48), text);
    tw_axis_draw_time(out, &x, TOP, BOTTOM, BOTTOM + TW_PX(16));
    tw_axis_draw_values(out, &y, LEFT, RIGHT);
    for (guint k = shown; k-- > 0;)
        curve(out, r, k, &x, &y);
    legend(out, r, shown);
    tw_svg_end(out);
}

static void svg(const struct tw_request *request, struct tw_writer *out)
{
    const struct tw_svg_page page = { .width = WIDTH, .height = TW_PX(60), .title = "throughput" };
    struct tw_rates rates;

    if (tw_rates_make(request->report, &request->graph, &rates)) {
        draw(&rates, out);
    } else {
        tw_svg_begin(out, &page);
        tw_svg_heading(out, MARGIN, TW_PX(28), WIDTH, "No data in this time range.");
        tw_svg_end(out);
    }
    tw_rates_clear(&rates);
}

static void csv(const struct tw_request *request, struct tw_writer *out)
{
    struct tw_rates r;

    tw_rates_make(request->report, &request->graph, &r);
    tw_writer_text(out, "stream,from_ms,bytes,bits_per_second\n");
    for (guint k = 0; k < r.rate->len; k++) {
        const struct tw_rate *rate = rate_at(&r, k);

        for (guint i = 0; i < r.n && !out->stopped; i++) {
            tw_writer_text(out, rate->stream ? tw_plain(rate->stream->stream).text : "sum");
            tw_writer_printf(out, ",%s,%" PRIu64 ",%s\n",
                             tw_fixed(r.from_ns + (tcpwhy_ns)i * r.interval_ns, 6, 6, false).text,
                             rate->bytes[i],
                             tw_plain((uint64_t)(tw_rates_bits(&r, rate, i) + 0.5)).text);
        }
    }
    tw_rates_clear(&r);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    struct tw_rates r;

    tw_rates_make(request->report, &request->graph, &r);
    tw_json_ms(to, "from_ms", r.from_ns);
    tw_json_ms(to, "to_ms", r.to_ns);
    tw_json_ms(to, "interval_ms", r.interval_ns);
    tw_json_array(to, "rates");
    for (guint k = 0; k < r.rate->len; k++) {
        const struct tw_rate *rate = rate_at(&r, k);

        tw_json_object(to, NULL);
        if (rate->stream) {
            tw_json_stream_ends(to, rate->stream);
            tw_json_string(to, "direction", tw_name_side(rate->from));
        } else {
            tw_json_null(to, "stream");
        }
        tw_json_uint(to, "bytes", rate->total_bytes);
        tw_json_array(to, "bits_per_s");
        for (guint i = 0; i < r.n; i++)
            tw_json_int(to, NULL, (int64_t)(tw_rates_bits(&r, rate, i) + 0.5));
        tw_json_end(to);
        tw_json_end(to);
    }
    tw_json_end(to);
    tw_rates_clear(&r);
}

const struct tw_renderer tw_renderer_rates = {
    .document = TCPWHY_DOC_RATES,
    .command = "graph",
    .json = json,
    .write = { [TCPWHY_FORMAT_SVG] = svg, [TCPWHY_FORMAT_CSV] = csv },
};
