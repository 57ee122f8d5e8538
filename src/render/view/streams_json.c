/* SPDX-License-Identifier: MIT */
/*
 * The connections of a capture as JSON, in tshark's order; one a line on request.
 */
#include "render/view/json_parts.h"
#include "render/renderer.h"

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_streams(to, request->report, false);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    tw_json_each_stream(to, request->report, false);
}

const struct tw_renderer tw_renderer_streams_json = {
    .document = TCPWHY_DOC_STREAMS,
    .json = json,
    .lines = lines,
};
