/* SPDX-License-Identifier: MIT */
/*
 * Requests and responses as JSON, with the latencies of all of them; one exchange a line on
 * request.
 */
#include "render/view/json_parts.h"
#include "render/renderer.h"

static void lines(const struct tw_request *request, struct tw_json *to)
{
    size_t n;
    const struct tw_stream_row *stream = tw_report_streams(request->report, &n);

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < stream[i].n_exchanges; k++)
            tw_json_exchange(to, stream[i].stream, &stream[i].exchanges[k]);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_latency(to, "latency", tcpwhy_report_latency(request->report), NULL);
    tw_json_array(to, "exchanges");
    lines(request, to);
    tw_json_end(to);
}

const struct tw_renderer tw_renderer_exchanges_json = {
    .document = TCPWHY_DOC_EXCHANGES,
    .json = json,
    .lines = lines,
};
