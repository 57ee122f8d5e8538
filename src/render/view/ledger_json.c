/* SPDX-License-Identifier: MIT */
/*
 * Where the time of a whole capture went, as JSON: of all connections, and of each listener's.
 */
#include "render/view/records.h"
#include "render/renderer.h"

static void json(const struct tw_request *request, struct tw_json *to)
{
    size_t n;
    const struct tcpwhy_ledger_entry *entry = tw_report_ledger(request->report, &n);

    tw_json_ledger(to, entry, n);
    tw_json_listeners(to, request->report, false);
}

const struct tw_renderer tw_renderer_ledger_json = {
    .document = TCPWHY_DOC_LEDGER,
    .json = json,
};
