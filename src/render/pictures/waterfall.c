/* SPDX-License-Identifier: MIT */
/*
 * The phases of each exchange: a row each with a bar, and their medians.
 */
#include "render/pictures/waterfall.h"

#include "base/array.h"
#include "render/view/har.h"
#include "render/view/operations.h"
#include "render/view/view.h"
#include "render/writers/svg.h"
#include "render/writers/text.h"

static const char *const phase_names[TW_LIFE_PHASES] = { "name", "connect", "TLS",
                                                         "send", "wait",    "receive" };

/* More rows nobody looks at in a picture; what is left out is said. */
#define MOST_ROWS 200
#define PAGE_ROWS 50

#define WIDTH  TW_PX(1000)
#define MARGIN TW_PX(20)
#define LEFT   TW_PX(330)
#define RIGHT  TW_PX(880)
#define TOP    TW_PX(84)
#define ROW    TW_PX(20)
#define BAR    TW_PX(12)

/* Okabe and Ito's colours. */
static const char *const colours[TW_LIFE_PHASES] = { "#cc79a7", "#e69f00", "#8b5cf6",
                                                     "#56b4e9", "#009e73", "#0072b2" };

/* ---- rows ------------------------------------------------------------------------------------ */

static void request_words(tw_string *text, const void *row)
{
    tw_text_request(text, &((const struct tw_phases *)row)->e);
}

#define OF(member) TW_AT(struct tw_phases, member)
#define PHASE(key, phase, head, rank)                                                              \
    {                                                                                              \
        key, TW_MS, .at = offsetof(struct tw_phases, ns) + (phase) * sizeof(tcpwhy_ns),            \
                    .size = sizeof(tcpwhy_ns), .title = head, .leaves = rank, .empty_goes = true   \
    }

static const struct tw_field fields[] = {
    { "stream", TW_UINT, OF(stream), .title = "stream", .format = TW_FORMAT_PLAIN },
    { "start_ms", TW_MS, OF(start_ns), .title = "start s", .format = TW_FORMAT_S6, .leaves = 2 },
    { "server", TW_ENDPOINT, OF(server) },
    { "host", TW_TEXT, OF(host), .title = "name", .min = 12, .leaves = 3, .empty_goes = true },
    { "request", TW_TEXT, OF(e.request), .zero_is_none = true, .title = "request", .min = 20,
      .words = request_words },
    { "status", TW_UINT, OF(e.status), .zero_is_none = true, .title = "status", .leaves = 1,
      .format = TW_FORMAT_PLAIN },
    PHASE("name_ms", TW_LIFE_NAME, "name", 4),
    PHASE("connect_ms", TW_LIFE_CONNECT, "connect", 0),
    PHASE("tls_ms", TW_LIFE_TLS, "TLS", 0),
    PHASE("send_ms", TW_LIFE_SEND, "send", 5),
    PHASE("wait_ms", TW_LIFE_WAIT, "wait", 0),
    PHASE("receive_ms", TW_LIFE_RECEIVE, "receive", 0),
    { "total_ms", TW_MS, OF(total_ns), .title = "total" },
    { "request_frame", TW_FRAME, OF(e.request_frame) },
    TW_FIELDS_END,
};

static void append_medians(tw_string *to, const tw_array *rows)
{
    tw_string_append(to, "Medians:");
    for (int i = 0; i < TW_LIFE_PHASES; i++) {
        tcpwhy_ns ns = tw_phases_median(rows, (enum tw_life_phase)i);

        if (ns == TCPWHY_NS_UNKNOWN)
            continue;
        tw_string_append_printf(to, "%s %s %s", to->str[to->len - 1] == ':' ? "" : ",",
                                phase_names[i], tw_duration(ns).text);
    }
    tw_string_append_c(to, '.');
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    g_autoptr(tw_array) rows = tw_phases_of(request->report, &request->options);
    g_autoptr(tw_string) medians = tw_string_new(NULL);

    tw_text_capture(page, request->report);
    tw_layout_end_line(page);
    if (rows->len == 0) {
        tw_operations_say_none(page, request);
        return;
    }
    tw_rows_table(request, page, fields, rows, "more request", "more requests");
    append_medians(medians, rows);
    tw_layout_end_line(page);
    tw_layout_paragraph(page, 0, TW_TONE_PLAIN, medians->str);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    g_autoptr(tw_array) rows = tw_phases_of(request->report, &request->options);

    tw_rows_lines(request, to, fields, rows);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    g_autoptr(tw_array) rows = tw_phases_of(request->report, &request->options);

    tw_rows_json(request, to, "waterfall", fields, rows);
}

static void csv(const struct tw_request *request, struct tw_writer *out)
{
    g_autoptr(tw_array) rows = tw_phases_of(request->report, &request->options);

    tw_rows_csv(request, out, fields, rows);
}

/* ---- the picture ----------------------------------------------------------------------------- */

struct scale {
    tcpwhy_ns from_ns, to_ns;
};

static int x_of(const struct scale *s, tcpwhy_ns at_ns)
{
    return LEFT +
           (int)((double)(at_ns - s->from_ns) / (double)(s->to_ns - s->from_ns) * (RIGHT - LEFT));
}

static struct scale scale_of(const tw_array *drawn)
{
    struct scale s = { INT64_MAX, INT64_MIN };

    for (guint i = 0; i < drawn->len; i++) {
        const struct tw_phases *p = tw_array_index(drawn, const struct tw_phases *, i);

        if (p->start_ns == TCPWHY_NS_UNKNOWN)
            continue;
        s.from_ns = MIN(s.from_ns, p->start_ns);
        s.to_ns = MAX(s.to_ns, p->start_ns);
        for (int k = 0; k < TW_LIFE_PHASES; k++)
            if (p->ns[k] != TCPWHY_NS_UNKNOWN)
                s.to_ns = MAX(s.to_ns, p->at_ns[k] + p->ns[k]);
    }
    if (s.from_ns >= s.to_ns)
        s = (struct scale) { MIN(s.from_ns, 0), MIN(s.from_ns, 0) + 1 };
    return s;
}

/* <rect in the colour of a phase, to be closed by the caller. */
static void box(struct tw_writer *svg, enum tw_life_phase phase, int x, int y, int width)
{
    tw_writer_printf(svg, "<rect fill=\"%s\"", colours[phase]);
    tw_svg_attribute(svg, "x", x);
    tw_svg_attribute(svg, "y", y);
    tw_svg_attribute(svg, "width", width);
    tw_svg_attribute(svg, "height", BAR);
}

static void bar(struct tw_writer *svg, const struct scale *s, const struct tw_phases *p,
                enum tw_life_phase phase, int y)
{
    int from = x_of(s, p->at_ns[phase]), to = x_of(s, p->at_ns[phase] + p->ns[phase]);

    box(svg, phase, from, y, MAX(to - from, TW_PX(1)));
    tw_writer_printf(svg, "><title>%s %s</title></rect>\n", phase_names[phase],
                     tw_duration(p->ns[phase]).text);
}

static void draw_row(struct tw_writer *svg, const struct scale *s, const struct tw_phases *p, int y)
{
    g_autoptr(tw_string) label = tw_string_new(NULL);
    g_autoptr(tw_string) fitted = tw_string_new(NULL);

    tw_text_request(label, &p->e);
    tw_text_fit(fitted, label->str, 40, false);
    tw_svg_text(svg, "", MARGIN, y + TW_PX(10), fitted->str);
    for (int i = 0; i < TW_LIFE_PHASES; i++)
        if (p->ns[i] != TCPWHY_NS_UNKNOWN)
            bar(svg, s, p, (enum tw_life_phase)i, y);
    if (p->total_ns != TCPWHY_NS_UNKNOWN)
        tw_svg_text(svg, "s e", WIDTH - MARGIN, y + TW_PX(10), tw_duration(p->total_ns).text);
}

static bool is_drawn(const tw_array *drawn, int phase)
{
    for (guint i = 0; i < drawn->len; i++)
        if (tw_array_index(drawn, const struct tw_phases *, i)->ns[phase] != TCPWHY_NS_UNKNOWN)
            return true;
    return false;
}

static void legend(struct tw_writer *svg, const tw_array *drawn)
{
    int x = LEFT;

    for (int i = 0; i < TW_LIFE_PHASES; i++) {
        if (!is_drawn(drawn, i))
            continue;
        box(svg, (enum tw_life_phase)i, x, TW_PX(52), BAR);
        tw_writer_text(svg, "/>\n");
        tw_svg_text(svg, "s", x + TW_PX(17), TW_PX(62), phase_names[i]);
        x += TW_PX(90);
    }
}

static int by_start(const void *a, const void *b)
{
    const struct tw_phases *x = *(const struct tw_phases *const *)a;
    const struct tw_phases *y = *(const struct tw_phases *const *)b;

    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return (x->e.request_frame > y->e.request_frame) - (x->e.request_frame < y->e.request_frame);
}

/* Unanswered ones first. */
static int slowest_first(const void *a, const void *b)
{
    const struct tw_phases *x = *(const struct tw_phases *const *)a;
    const struct tw_phases *y = *(const struct tw_phases *const *)b;
    tcpwhy_ns x_ns = x->total_ns == TCPWHY_NS_UNKNOWN ? INT64_MAX : x->total_ns;
    tcpwhy_ns y_ns = y->total_ns == TCPWHY_NS_UNKNOWN ? INT64_MAX : y->total_ns;

    return x_ns != y_ns ? (x_ns < y_ns) - (x_ns > y_ns) : by_start(a, b);
}

/* A picture has room for some: pointers to the slowest, in the order of time. */
static tw_array *chosen(const tw_array *rows, guint most)
{
    tw_array *some = tw_array_new(FALSE, FALSE, sizeof(const struct tw_phases *));

    for (guint i = 0; i < rows->len; i++) {
        const struct tw_phases *p = &tw_array_index(rows, struct tw_phases, i);

        tw_array_append_val(some, p);
    }
    tw_array_sort(some, slowest_first);
    tw_array_set_size(some, MIN(some->len, most));
    tw_array_sort(some, by_start);
    return some;
}

static void draw(const tw_array *rows, guint most, bool in_html, struct tw_writer *out)
{
    g_autoptr(tw_array) drawn = chosen(rows, most);
    guint n = drawn->len;
    struct scale s = scale_of(drawn);
    struct tw_svg_page page = { .width = WIDTH,
                                .height = TOP + ((int)n + 3) * ROW,
                                .title = "Waterfall of requests",
                                .in_html = in_html };
    g_autoptr(tw_string) words = tw_string_new(NULL);

    tw_svg_begin(out, &page);
    tw_string_append(words, tw_plural(rows->len, "request", "requests").text);
    if (n < rows->len)
        tw_string_append_printf(words, ", the %u slowest in the order of time", n);
    tw_svg_heading(out, MARGIN, TW_PX(28), WIDTH - MARGIN, words->str);
    legend(out, drawn);
    for (guint i = 0; i < n; i++)
        draw_row(out, &s, tw_array_index(drawn, const struct tw_phases *, i), TOP + (int)i * ROW);
    tw_string_truncate(words, 0);
    append_medians(words, rows);
    tw_svg_text(out, "q s", MARGIN, TOP + ((int)n + 2) * ROW, words->str);
    tw_svg_end(out);
}

static void svg(const struct tw_request *request, struct tw_writer *out)
{
    g_autoptr(tw_array) rows = tw_phases_of(request->report, &request->options);

    draw(rows, MOST_ROWS, false, out);
}

void tw_waterfall_in_html(const tw_array *rows, struct tw_writer *out)
{
    draw(rows, PAGE_ROWS, true, out);
}

const struct tw_renderer tw_renderer_waterfall = {
    .document = TCPWHY_DOC_WATERFALL,
    .command = "exchanges",
    .text = text,
    .json = json,
    .lines = lines,
    .write = { [TCPWHY_FORMAT_CSV] = csv, [TCPWHY_FORMAT_SVG] = svg, [TCPWHY_FORMAT_HAR] = tw_har },
};
