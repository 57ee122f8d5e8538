/* SPDX-License-Identifier: MIT */
/*
 * The flow graphs of the selected streams as one SVG document: under each stream's title its time
 * as a strip in the colours of the causes, then the ladder.
 */
#include "render/pictures/cause_strip.h"
#include "render/pictures/flow.h"
#include "render/pictures/sequence_diagram.h"
#include "render/view/flow_words.h"
#include "render/view/view.h"
#include "render/writers/text.h"

#define MARGIN       TW_PX(20)
#define TITLE_HEIGHT TW_PX(54)
#define SPACE        TW_PX(28)

/* Of a graph without a stream. */
#define EMPTY_WIDTH TW_PX(640)

/* More streams than this, a graph each, no one looks at; the rows of each are bounded too. */
#define MAX_GRAPHS 50

struct section {
    const struct tw_flow_source *source;
    uint32_t n_sources;
    struct tw_flow flow;
    struct tw_flow_columns columns;
    struct tw_cause_strip strip; /* of one stream: several live at once */
    int width, height;
};

/* The flow has been built. */
static void lay_out(struct section *s)
{
    tw_flow_columns_build(s->source, s->n_sources, &s->flow, TW_SEQUENCE_DIAGRAM_MAX_COLUMNS,
                          &s->columns);
    s->width = tw_sequence_diagram_width(&s->flow, &s->columns);
    s->strip = (struct tw_cause_strip) { .stream = s->source->stream,
                                         .from_ns = s->flow.from_ns,
                                         .to_ns = s->flow.to_ns,
                                         .x = MARGIN,
                                         .width = s->width - 2 * MARGIN };
    s->height = TITLE_HEIGHT + SPACE;
    if (s->flow.n_frames > 0)
        s->height += tw_sequence_diagram_height(&s->flow);
    if (s->flow.n_frames > 0 && !s->columns.together)
        s->height += tw_cause_strip_height(&s->strip);
}

static void heading(const struct section *s, tw_string *to)
{
    if (s->n_sources == 1)
        tw_text_ends(to, s->source->stream, TCPWHY_CLIENT);
    else
        tw_string_append(to, tw_plural(tw_flow_columns_hosts(&s->columns), "host", "hosts").text);
}

static void titles(struct tw_writer *svg, const struct section *s, int y)
{
    g_autoptr(tw_string) text = tw_string_new(NULL), fitted = tw_string_new(NULL);

    heading(s, text);
    tw_svg_heading(svg, MARGIN, y + TW_PX(20), s->width, text->str);
    tw_string_truncate(text, 0);
    tw_flow_title(text, s->source, s->n_sources, &s->flow);
    tw_text_fit(fitted, text->str, (unsigned)(s->width - 2 * MARGIN) / TW_SVG_SANS, false);
    tw_svg_text(svg, "q", MARGIN, y + TW_PX(40), fitted->str);
}

static void draw_section(struct tw_writer *svg, const struct section *s, int y)
{
    struct tw_sequence_diagram diagram = { .svg = svg,
                                           .source = s->source,
                                           .flow = &s->flow,
                                           .columns = &s->columns,
                                           .width = s->width,
                                           .y = y + TITLE_HEIGHT };

    titles(svg, s, y);
    if (s->flow.n_frames == 0)
        return;
    if (!s->columns.together) {
        tw_cause_strip_draw(svg, &s->strip, diagram.y);
        diagram.y += tw_cause_strip_height(&s->strip);
    }
    tw_sequence_diagram_draw(&diagram);
}

static tw_cause_set causes_of(const struct section *s)
{
    return tw_sequence_diagram_causes(&s->flow) |
           (s->columns.together ? 0 : tw_cause_strip_causes(&s->strip));
}

static void draw(const struct section *section, uint32_t n, uint32_t left_out, bool in_html,
                 struct tw_writer *out)
{
    struct tw_svg_page page = { .height = MARGIN + (left_out ? SPACE : 0),
                                .title = "flow graph",
                                .in_html = in_html };
    g_autoptr(tw_string) text = tw_string_new(NULL);
    int y = MARGIN;

    for (uint32_t i = 0; i < n; i++) {
        page.width = MAX(page.width, section[i].width);
        page.height += section[i].height;
        page.causes |= causes_of(&section[i]);
    }
    tw_svg_begin(out, &page);
    for (uint32_t i = 0; i < n && !out->stopped; i++) {
        draw_section(out, &section[i], y);
        y += section[i].height;
    }
    if (left_out > 0) {
        tw_string_append_printf(text, "%s not shown",
                                tw_plural(left_out, "more stream", "more streams").text);
        tw_svg_text(out, "q", MARGIN, y, text->str);
    }
    tw_svg_end(out);
}

static void draw_nothing(const tcpwhy_report *report, struct tw_writer *out)
{
    const struct tw_svg_page page = { .width = EMPTY_WIDTH,
                                      .height = MARGIN + TITLE_HEIGHT,
                                      .title = "flow graph" };

    tw_svg_begin(out, &page);
    tw_svg_heading(out, MARGIN, MARGIN + TW_PX(20), EMPTY_WIDTH, tw_flow_none(report));
    tw_svg_end(out);
}

static void clear(struct section *s)
{
    tw_flow_columns_clear(&s->columns);
    tw_flow_clear(&s->flow);
}

void tw_flow_svg_in_html(const struct tw_flow_source *source,
                         const struct tcpwhy_flow_options *options, struct tw_writer *out)
{
    struct section section = { .source = source, .n_sources = 1 };

    tw_flow_build(source->stream, source->log, options, &section.flow);
    lay_out(&section);
    draw(&section, 1, 0, true, out);
    clear(&section);
}

void tw_flow_svg(const struct tw_request *request, struct tw_writer *out)
{
    struct tw_flow_source *source;
    uint32_t n_sources = tw_flow_sources(request->report, &source);
    bool together = request->flow.together && n_sources > 1;
    uint32_t n = together ? 1 : MIN(n_sources, MAX_GRAPHS);
    struct section *section = tw_new0(struct section, n + 1);

    for (uint32_t i = 0; i < n; i++) {
        section[i].source = &source[i];
        section[i].n_sources = together ? n_sources : 1;
        if (together)
            tw_flow_build_together(source, n_sources, &request->flow, &section[i].flow);
        else
            tw_flow_build(source[i].stream, source[i].log, &request->flow, &section[i].flow);
        lay_out(&section[i]);
    }
    if (n == 0)
        draw_nothing(request->report, out);
    else
        draw(section, n, together ? 0 : n_sources - n, false, out);
    for (uint32_t i = 0; i < n; i++)
        clear(&section[i]);
    tw_free(section);
    tw_free(source);
}
