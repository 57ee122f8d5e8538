/* SPDX-License-Identifier: MIT */
/*
 * The public door: finds the renderer of a document, and hands it a page or a JSON writer.
 */
#include <glib.h>

#include <tcpwhy/tcpwhy.h>

#include "base/options.h"
#include "render/view/records.h"
#include "render/renderer.h"

/* The list stands in this folder's meson.build. */
#define X(name) extern const struct tw_renderer tw_renderer_##name;
#include "render/renderers.inc"
#undef X

static const struct tw_renderer *const renderers[] = {
#define X(name) &tw_renderer_##name,
#include "render/renderers.inc"
#undef X
};

static const char *const commands[] = {
    [TCPWHY_DOC_DIAGNOSIS] = "diagnosis", [TCPWHY_DOC_STREAMS] = "streams",
    [TCPWHY_DOC_EXPLAIN] = "explain",     [TCPWHY_DOC_EXCHANGES] = "exchanges",
    [TCPWHY_DOC_FLOW] = "flow",           [TCPWHY_DOC_TRAFFIC] = "traffic",
    [TCPWHY_DOC_LEDGER] = "ledger",
};

/* Members of the outermost object, and the elements of its arrays, stand on their own lines. */
#define DOCUMENT_BREAK_DEPTH 2

static const struct tcpwhy_flow_options default_flow;

static int text(enum tcpwhy_document document, const struct tw_request *request,
                const struct tcpwhy_style *style, tcpwhy_write_fn write, void *user)
{
    struct tw_layout page;
    struct tw_writer out;

    tw_writer_init(&out, write, user);
    if (!tw_layout_init(&page, &out, style))
        return TCPWHY_ERR_ARGUMENT;
    for (size_t i = 0; i < G_N_ELEMENTS(renderers); i++)
        if (renderers[i]->document == document && renderers[i]->text)
            renderers[i]->text(request, &page);
    return tw_writer_finish(&out);
}

static void whole_document(const struct tw_renderer *renderer, const struct tw_request *request,
                           struct tw_json *json)
{
    tw_json_object(json, NULL);
    tw_json_string(json, "schema", "tcpwhy/1");
    tw_json_string(json, "command", commands[renderer->document]);
    tw_json_capture(json, "capture", tw_report_capture(request->report));
    renderer->json(request, json);
    tw_json_end(json);
}

static int json(enum tcpwhy_document document, const struct tw_request *request, bool lines,
                tcpwhy_write_fn write, void *user)
{
    struct tw_json writer;
    struct tw_writer out;

    tw_writer_init(&out, write, user);
    tw_json_init(&writer, &out, lines ? 0 : DOCUMENT_BREAK_DEPTH);
    for (size_t i = 0; i < G_N_ELEMENTS(renderers); i++) {
        if (renderers[i]->document != document || !renderers[i]->json)
            continue;
        if (lines && renderers[i]->lines)
            renderers[i]->lines(request, &writer);
        else
            whole_document(renderers[i], request, &writer);
    }
    return tw_writer_finish(&out);
}

int tcpwhy_render_text(const tcpwhy_report *report, enum tcpwhy_document document,
                       const struct tcpwhy_style *style, tcpwhy_write_fn write, void *user)
{
    return text(document, &(struct tw_request) { report, &default_flow }, style, write, user);
}

int tcpwhy_render_json(const tcpwhy_report *report, enum tcpwhy_document document,
                       tcpwhy_write_fn write, void *user)
{
    return json(document, &(struct tw_request) { report, &default_flow }, false, write, user);
}

int tcpwhy_render_ndjson(const tcpwhy_report *report, enum tcpwhy_document document,
                         tcpwhy_write_fn write, void *user)
{
    return json(document, &(struct tw_request) { report, &default_flow }, true, write, user);
}

int tcpwhy_render_csv(const tcpwhy_report *report, enum tcpwhy_document document,
                      tcpwhy_write_fn write, void *user)
{
    const struct tw_request request = { report, &default_flow };
    struct tw_writer out;

    tw_writer_init(&out, write, user);
    for (size_t i = 0; i < G_N_ELEMENTS(renderers); i++)
        if (renderers[i]->document == document && renderers[i]->csv)
            renderers[i]->csv(&request, &out);
    return tw_writer_finish(&out);
}

/* A request for flow graphs; false when the options are of no version that we know. */
static bool ask_flow(const tcpwhy_report *report, const struct tcpwhy_flow_options *given,
                     struct tcpwhy_flow_options *own, struct tw_request *request)
{
    *request = (struct tw_request) { report, own };
    return tw_options_copy(own, sizeof *own, given);
}

int tcpwhy_render_flow_text(const tcpwhy_report *report, const struct tcpwhy_flow_options *options,
                            const struct tcpwhy_style *style, tcpwhy_write_fn write, void *user)
{
    struct tcpwhy_flow_options own;
    struct tw_request request;

    if (!ask_flow(report, options, &own, &request))
        return TCPWHY_ERR_ARGUMENT;
    return text(TCPWHY_DOC_FLOW, &request, style, write, user);
}

int tcpwhy_render_flow_json(const tcpwhy_report *report, const struct tcpwhy_flow_options *options,
                            tcpwhy_write_fn write, void *user)
{
    struct tcpwhy_flow_options own;
    struct tw_request request;

    if (!ask_flow(report, options, &own, &request))
        return TCPWHY_ERR_ARGUMENT;
    return json(TCPWHY_DOC_FLOW, &request, false, write, user);
}

int tcpwhy_render_flow_ndjson(const tcpwhy_report *report,
                              const struct tcpwhy_flow_options *options, tcpwhy_write_fn write,
                              void *user)
{
    struct tcpwhy_flow_options own;
    struct tw_request request;

    if (!ask_flow(report, options, &own, &request))
        return TCPWHY_ERR_ARGUMENT;
    return json(TCPWHY_DOC_FLOW, &request, true, write, user);
}

int tcpwhy_render_flow_svg(const tcpwhy_report *report, const struct tcpwhy_flow_options *options,
                           tcpwhy_write_fn write, void *user)
{
    struct tcpwhy_flow_options own;
    struct tw_request request;
    struct tw_writer out;

    if (!ask_flow(report, options, &own, &request))
        return TCPWHY_ERR_ARGUMENT;
    tw_writer_init(&out, write, user);
    for (size_t i = 0; i < G_N_ELEMENTS(renderers); i++)
        if (renderers[i]->document == TCPWHY_DOC_FLOW && renderers[i]->svg)
            renderers[i]->svg(&request, &out);
    return tw_writer_finish(&out);
}
