/* SPDX-License-Identifier: MIT */
/*
 * Traffic over time as JSON, of the capture and of each listener; an interval of the capture a line
 * on request.
 */
#include "render/view/json_parts.h"
#include "render/renderer.h"

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_traffic(to, tw_report_traffic(request->report), true);
    tw_json_facts(to, request->report);
    tw_json_listeners(to, request->report, true);
    tw_json_ports(to, request->report);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    const struct tw_interval_series *t = tw_report_traffic(request->report);

    for (size_t i = 0; i < t->n; i++)
        tw_json_interval(to, t, i, true);
}

const struct tw_renderer tw_renderer_traffic_json = {
    .document = TCPWHY_DOC_TRAFFIC,
    .json = json,
    .lines = lines,
};
