/* SPDX-License-Identifier: MIT */
/*
 * Flow graphs as ladders of text: time runs down, a rail for each end; of one stream the client
 * stands left.
 *
 *     frame      ms  10.9.0.1:60404                  10.9.0.2:8080
 *        36   0.000  |-PSH,ACK seq 1 ack 1 len 40------------>|
 *                    :     40.012 ms nagle_delayed_ack        :  server, likely
 */
#include "render/pictures/flow.h"

#include "base/array.h"
#include "base/text.h"
#include "render/pictures/flow_lines.h"
#include "render/view/flow_words.h"

static void title(struct tw_layout *page, const struct tw_flow_source *source, uint32_t n,
                  const struct tw_flow *flow)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_flow_title(text, source, n, flow);
    tw_layout_paragraph(page, 0, flow->n_frames > 0 ? TW_TONE_STRONG : TW_TONE_WARN, text->str);
}

static void draw(struct tw_layout *page, const struct tw_flow_source *source, uint32_t n,
                 const struct tw_flow *flow)
{
    struct tw_flow_columns columns;
    struct tw_flow_lines l = { .page = page, .source = source, .flow = flow, .columns = &columns };

    title(page, source, n, flow);
    if (flow->n_frames == 0)
        return;
    tw_flow_columns_build(source, n, flow, tw_flow_lines_lay_out(&l), &columns);
    tw_layout_end_line(page);
    tw_flow_lines_head(&l);
    for (guint i = 0; i < flow->rows->len && !page->out->stopped; i++)
        tw_flow_lines_row(&l, &tw_array_index(flow->rows, struct tw_flow_row, i));
    tw_flow_columns_clear(&columns);
}

static void each_apart(const struct tw_request *request, const struct tw_flow_source *source,
                       uint32_t n, struct tw_layout *page)
{
    for (uint32_t i = 0; i < n && !page->out->stopped; i++) {
        struct tw_flow flow;

        if (i > 0)
            tw_layout_end_line(page);
        tw_flow_build(source[i].stream, source[i].log, &request->flow, &flow);
        draw(page, &source[i], 1, &flow);
        tw_flow_clear(&flow);
    }
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    struct tw_flow_source *source;
    uint32_t n = tw_flow_sources(request->report, &source);
    struct tw_flow flow;

    if (n == 0) {
        tw_layout_line(page, TW_TONE_WARN, tw_flow_none(request->report));
    } else if (request->flow.together) {
        tw_flow_build_together(source, n, &request->flow, &flow);
        draw(page, source, n, &flow);
        tw_flow_clear(&flow);
    } else {
        each_apart(request, source, n, page);
    }
    tw_free(source);
}

const struct tw_renderer tw_renderer_flow = {
    .document = TCPWHY_DOC_FLOW,
    .command = "flow",
    .text = text,
    .json = tw_flow_json,
    .lines = tw_flow_json_lines,
    .write = { [TCPWHY_FORMAT_SVG] = tw_flow_svg },
};
