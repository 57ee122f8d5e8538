/* SPDX-License-Identifier: MIT */
/*
 * Connections explained as JSON: findings, ledgers, and each interval where the spans were kept.
 */
#include "render/view/records.h"
#include "render/renderer.h"

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_verdict(to, tcpwhy_report_verdict(request->report));
    tw_json_failures(to, request->report);
    tw_json_findings(to, request->report);
    tw_json_streams(to, request->report, true);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    tw_json_each_stream(to, request->report, true);
}

const struct tw_renderer tw_renderer_explain_json = {
    .document = TCPWHY_DOC_EXPLAIN,
    .json = json,
    .lines = lines,
};
