/* SPDX-License-Identifier: MIT */
/*
 * The public door: finds the renderer of a document, and hands it a page, a JSON writer, or the
 * bare writer.
 */
#include <tcpwhy/tcpwhy.h>

#include "base/options.h"
#include "render/view/view.h"
#include "report/compare/compare_rows.h"
#include "report/report_rows.h"

/* The list stands in this folder's meson.build. */
#define X(name) extern const struct tw_renderer tw_renderer_##name;
#include "render/renderers.inc"
#undef X

static const struct tw_renderer *const renderers[] = {
#define X(name) &tw_renderer_##name,
#include "render/renderers.inc"
#undef X
};

/* Members of the outermost object, and the elements of its arrays, stand on their own lines. */
#define DOCUMENT_BREAK_DEPTH 2

static const struct tw_renderer *find(enum tcpwhy_document document)
{
    for (size_t i = 0; i < G_N_ELEMENTS(renderers); i++)
        if (renderers[i]->document == document)
            return renderers[i];
    return NULL;
}

static bool has_format(const struct tw_renderer *renderer, enum tcpwhy_format format)
{
    if ((unsigned)format >= TW_N_FORMATS)
        return false;
    if (renderer->write[format])
        return true;
    if (format == TCPWHY_FORMAT_TEXT)
        return renderer->text != NULL;
    return (format == TCPWHY_FORMAT_JSON || format == TCPWHY_FORMAT_NDJSON) &&
           (renderer->json || renderer->lines);
}

static bool copy_options(struct tw_request *request, const struct tcpwhy_render_options *given)
{
    struct tcpwhy_render_options *own = &request->options;

    return tw_options_copy(own, sizeof *own, given) &&
           tw_options_copy(&request->flow, sizeof request->flow, own->flow_options) &&
           tw_options_copy(&request->graph, sizeof request->graph, own->graph_options);
}

static void write_text(const struct tw_renderer *renderer, const struct tw_request *request,
                       struct tw_writer *out)
{
    struct tw_layout page;

    tw_layout_init(&page, out, &request->options);
    renderer->text(request, &page);
}

static void write_json(const struct tw_renderer *renderer, const struct tw_request *request,
                       bool lines, struct tw_writer *out)
{
    struct tw_json json;

    tw_json_init(&json, out, lines ? 0 : DOCUMENT_BREAK_DEPTH);
    if (renderer->lines && (lines || !renderer->json)) {
        json.break_depth = 0;
        renderer->lines(request, &json);
        return;
    }
    tw_json_object(&json, NULL);
    tw_json_string(&json, "schema", "tcpwhy/1");
    tw_json_string(&json, "command", renderer->command);
    if (!renderer->without_report)
        tw_json_capture(&json, "capture", tw_report_capture(request->report));
    renderer->json(request, &json);
    tw_json_end(&json);
}

static int render(const struct tw_renderer *renderer, const struct tw_request *request,
                  tcpwhy_write_fn write, void *user)
{
    struct tw_writer out;

    tw_writer_init(&out, write, user);
    if (renderer->write[request->format])
        renderer->write[request->format](request, &out);
    else if (request->format == TCPWHY_FORMAT_TEXT)
        write_text(renderer, request, &out);
    else
        write_json(renderer, request, request->format == TCPWHY_FORMAT_NDJSON, &out);
    return tw_writer_finish(&out);
}

/* A guard returns twice: what it reads is a parameter, which it does not change. */
static int render_guarded(const struct tw_renderer *renderer, const struct tw_request *request,
                          tcpwhy_write_fn write, void *user)
{
    struct tw_guard guard;
    int status;

    if (TW_FAILED(guard))
        return TCPWHY_ERR_MEMORY;
    tw_call_begin(&guard);
    if (renderer->ready && !renderer->ready(request))
        status = TCPWHY_ERR_ARGUMENT;
    else
        status = render(renderer, request, write, user);
    tw_call_end(&guard);
    return status;
}

/* What a document is made of lives until it is written, even if write releases it. */
static void hold(const struct tw_request *request)
{
    tw_report_hold(request->report);
    tw_comparison_hold(request->options.comparison);
    for (size_t i = 0; request->options.more && i < request->options.n_more; i++)
        tw_report_hold(request->options.more[i]);
}

static void let_go(const struct tw_request *request)
{
    for (size_t i = 0; request->options.more && i < request->options.n_more; i++)
        tw_report_let_go(request->options.more[i]);
    tw_comparison_let_go(request->options.comparison);
    tw_report_let_go(request->report);
}

int tcpwhy_render(const tcpwhy_report *report, enum tcpwhy_document document,
                  enum tcpwhy_format format, const struct tcpwhy_render_options *options,
                  tcpwhy_write_fn write, void *user)
{
    const struct tw_renderer *renderer = find(document);
    struct tw_request request = { .report = report, .format = format };
    int status;

    if (!write)
        return TCPWHY_ERR_USAGE;
    if (!renderer || !has_format(renderer, format) || !copy_options(&request, options) ||
        (!report && !renderer->without_report))
        return TCPWHY_ERR_ARGUMENT;
    hold(&request);
    status = render_guarded(renderer, &request, write, user);
    let_go(&request);
    return status;
}
