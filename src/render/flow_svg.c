/* SPDX-License-Identifier: MIT */
/*
 * The flow graphs of the selected streams as one SVG document: under each stream's title its time
 * as a strip in the colours of the causes, then the ladder.
 */
#include "render/cause_strip.h"
#include "render/flow_words.h"
#include "render/ladder.h"
#include "render/renderer.h"
#include "render/text.h"
#include "report/report.h"

#define MARGIN       TW_PX(20)
#define WIDTH        TW_PX(1000)
#define TITLE_HEIGHT TW_PX(54)
#define SPACE        TW_PX(28)

/* More streams than this in one picture no one looks at; --rows bounds each of them. */
#define MAX_STREAMS 50

struct section {
    struct tw_flow_source source;
    struct tw_flow flow;
    struct tw_cause_strip strip;
    int height;
};

static void begin_section(struct section *s, const struct tw_request *request, size_t i)
{
    s->source.stream = &g_array_index(request->report->streams, struct tcpwhy_stream, i);
    s->source.log = g_ptr_array_index(request->report->logs, i);
    tw_flow_build(s->source.stream, s->source.log, request->flow, &s->flow);
    s->strip = (struct tw_cause_strip) { .stream = s->source.stream,
                                         .from_ns = s->flow.from_ns,
                                         .to_ns = s->flow.to_ns,
                                         .x = MARGIN,
                                         .width = WIDTH - 2 * MARGIN };
    s->height = TITLE_HEIGHT + SPACE;
    if (s->flow.n_frames > 0)
        s->height += tw_cause_strip_height(&s->strip) + tw_ladder_height(&s->flow);
}

static void ladder(struct tw_svg *svg, const struct section *s, int y)
{
    static const uint32_t column_of[1][2] = { { 0, 1 } };
    struct tw_ladder_column columns[2] = { { .x = TW_LADDER_LEFT },
                                           { .x = WIDTH - TW_LADDER_RIGHT } };
    struct tw_ladder l = { .svg = svg,
                           .source = &s->source,
                           .flow = &s->flow,
                           .column = columns,
                           .n_columns = 2,
                           .column_of = column_of,
                           .width = WIDTH,
                           .y = y };

    tcpwhy_endpoint_format(&s->source.stream->client, columns[0].name);
    tcpwhy_endpoint_format(&s->source.stream->server, columns[1].name);
    tw_ladder_draw(&l);
}

static void fitted_text(struct tw_svg *svg, const char *classes, int y, const char *text)
{
    GString *fitted = g_string_new(NULL);

    tw_text_fit(fitted, text, (WIDTH - 2 * MARGIN) / TW_SVG_SANS, false);
    tw_svg_text(svg, classes, MARGIN, y, fitted->str);
    g_string_free(fitted, TRUE);
}

static void draw_section(struct tw_svg *svg, const struct section *s, int y)
{
    char client[TCPWHY_ENDPOINT_TEXT], server[TCPWHY_ENDPOINT_TEXT];
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, "%s \u2192 %s",
                           tcpwhy_endpoint_format(&s->source.stream->client, client),
                           tcpwhy_endpoint_format(&s->source.stream->server, server));
    tw_svg_text(svg, "h", MARGIN, y + TW_PX(20), text->str);
    g_string_truncate(text, 0);
    if (s->flow.n_frames > 0)
        tw_flow_title(text, s->source.stream, &s->flow);
    else
        g_string_append_printf(text, "Stream %u has no frame in that range.",
                               s->source.stream->stream);
    fitted_text(svg, "q", y + TW_PX(40), text->str);
    g_string_free(text, TRUE);
    if (s->flow.n_frames == 0)
        return;
    y += TITLE_HEIGHT;
    tw_cause_strip_draw(svg, &s->strip, y);
    ladder(svg, s, y + tw_cause_strip_height(&s->strip));
}

static void draw(const struct tw_request *request, const struct section *section, size_t n,
                 size_t left_out, struct tw_out *out)
{
    int height = MARGIN + (left_out ? SPACE : 0), y = MARGIN;
    tw_cause_set causes = 0;
    struct tw_svg svg;
    GString *text = g_string_new("tcpwhy flow graph");

    for (size_t i = 0; i < n; i++) {
        height += section[i].height;
        causes |= tw_ladder_causes(&section[i].flow) | tw_cause_strip_causes(&section[i].strip);
    }
    tw_svg_begin(&svg, out, WIDTH, height, text->str, causes);
    for (size_t i = 0; i < n && !out->stopped; i++) {
        draw_section(&svg, &section[i], y);
        y += section[i].height;
    }
    if (left_out > 0) {
        g_string_printf(text, "%zu more streams are not drawn: choose some with -s.", left_out);
        tw_svg_text(&svg, "q", MARGIN, y, text->str);
    }
    tw_svg_end(&svg);
    (void)request;
    g_string_free(text, TRUE);
}

static void svg(const struct tw_request *request, struct tw_out *out)
{
    const GPtrArray *logs = request->report->logs;
    size_t n_streams = MIN(request->report->streams->len, logs->len), n = 0, left_out = 0;
    struct section *section = g_new0(struct section, MIN(n_streams, MAX_STREAMS) + 1);

    for (size_t i = 0; i < n_streams; i++) {
        if (!g_ptr_array_index(logs, i))
            continue;
        if (n < MAX_STREAMS)
            begin_section(&section[n++], request, i);
        else
            left_out++;
    }
    draw(request, section, n, left_out, out);
    for (size_t i = 0; i < n; i++)
        tw_flow_clear(&section[i].flow);
    g_free(section);
}

const struct tw_renderer tw_renderer_flow_svg = {
    .document = TCPWHY_DOC_FLOW,
    .svg = svg,
};
