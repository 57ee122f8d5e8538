/* SPDX-License-Identifier: MIT */
/*
 * What a renderer is: one document in one form. Adding one is one file and its name in this
 * folder's meson.build.
 */
#ifndef TW_RENDER_RENDERER_H
#define TW_RENDER_RENDERER_H

#include <tcpwhy/render.h>

#include "render/writers/json.h"
#include "render/writers/terminal_layout.h"

/* What to draw, beside the report itself. */
struct tw_request {
    const tcpwhy_report *report;
    const struct tcpwhy_flow_options *flow; /* never NULL */
};

/* A renderer fills what it can do and leaves the rest NULL. */
struct tw_renderer {
    enum tcpwhy_document document;
    void (*text)(const struct tw_request *request, struct tw_layout *page);
    /* the members of the document after "schema", "command" and "capture" */
    void (*json)(const struct tw_request *request, struct tw_json *json);
    void (*svg)(const struct tw_request *request, struct tw_writer *out);
    void (*csv)(const struct tw_request *request, struct tw_writer *out);
    /* one object a line instead; NULL: the whole document is one line */
    void (*lines)(const struct tw_request *request, struct tw_json *json);
};

#endif
