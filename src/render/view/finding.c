/* SPDX-License-Identifier: MIT */
/*
 * One finding by itself, as it is told while packets come in.
 */
#include "render/renderer.h"
#include "render/view/records.h"
#include "render/view/text_parts.h"
#include "report/report_views.h"

static bool ready(const struct tw_request *request)
{
    return request->options.finding != NULL;
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    g_autofree struct tw_finding_row *row = tw_finding_of_view(request->options.finding);

    tw_text_finding(page, row);
}

static void lines(const struct tw_request *request, struct tw_json *json)
{
    g_autofree struct tw_finding_row *row = tw_finding_of_view(request->options.finding);

    tw_json_finding(json, row);
}

const struct tw_renderer tw_renderer_finding = {
    .document = TCPWHY_DOC_FINDING,
    .without_report = true,
    .ready = ready,
    .text = text,
    .lines = lines,
};
