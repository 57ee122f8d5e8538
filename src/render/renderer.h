/* SPDX-License-Identifier: MIT */
/*
 * A renderer writes one document in one or more formats. To add one: one file, and its name in
 * meson.build of this folder.
 */
#ifndef TW_RENDER_RENDERER_H
#define TW_RENDER_RENDERER_H

#include <tcpwhy/render.h>

#include "render/writers/json.h"
#include "render/writers/terminal_layout.h"

#define TW_N_FORMATS (TCPWHY_FORMAT_HAR + 1)

/* A request: own copies of the caller's options, as far as this version knows them. */
struct tw_request {
    const tcpwhy_report *report;
    enum tcpwhy_format format;
    struct tcpwhy_render_options options;
    struct tcpwhy_flow_options flow;
    struct tcpwhy_graph_options graph;
};

/* How many of a list's rows the options let through. */
static inline size_t tw_request_rows(const struct tw_request *request, size_t n)
{
    return request->options.max_rows > 0 && n > request->options.max_rows
               ? request->options.max_rows
               : n;
}

/* A renderer fills what it can do and leaves the rest NULL. */
struct tw_renderer {
    enum tcpwhy_document document;
    const char *command; /* in JSON: which command of tcpwhy writes it */
    bool without_report; /* it stands in the options */
    /* what else it needs is there; NULL: it needs nothing else */
    bool (*ready)(const struct tw_request *request);
    void (*text)(const struct tw_request *request, struct tw_layout *page);
    /* the members of the document after "schema", "command" and, of a report, "capture" */
    void (*json)(const struct tw_request *request, struct tw_json *json);
    /* one object a line instead; NULL: the whole document is one line */
    void (*lines)(const struct tw_request *request, struct tw_json *json);
    /* other formats, or JSON of its own layout */
    void (*write[TW_N_FORMATS])(const struct tw_request *request, struct tw_writer *out);
};

#endif
