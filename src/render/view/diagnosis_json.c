/* SPDX-License-Identifier: MIT */
/*
 * The diagnosis as JSON: everything that was found, findings costliest first.
 */
#include "render/view/records.h"
#include "render/renderer.h"

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_verdict(to, tcpwhy_report_verdict(request->report));
    tw_json_failures(to, request->report);
    tw_json_findings(to, request->report);
    tw_json_facts(to, request->report);
    tw_json_latency(to, "exchanges", tcpwhy_report_latency(request->report),
                    tcpwhy_report_status(request->report));
    tw_json_streams(to, request->report, false);
    tw_json_listeners(to, request->report, false);
    tw_json_ports(to, request->report);
    tw_json_traffic(to, tw_report_traffic(request->report), true);
}

const struct tw_renderer tw_renderer_diagnosis_json = {
    .document = TCPWHY_DOC_DIAGNOSIS,
    .json = json,
};
