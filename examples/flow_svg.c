/* SPDX-License-Identifier: MIT */
/*
 * flow_svg CAPTURE STREAM: render the flow graph of one connection as SVG into a memory buffer, as
 * a GUI or a web server would.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tcpwhy/tcpwhy.h>

struct buffer {
    char *bytes;
    size_t len, room;
};

/* Renderer callback: append to the buffer. Returning false (out of memory) stops the renderer. */
static bool append(void *user, const char *bytes, size_t len)
{
    struct buffer *buffer = user;

    if (buffer->len + len > buffer->room) {
        size_t room = 2 * (buffer->len + len);
        char *grown = realloc(buffer->bytes, room);

        if (!grown)
            return false;
        buffer->bytes = grown;
        buffer->room = room;
    }
    memcpy(buffer->bytes + buffer->len, bytes, len);
    buffer->len += len;
    return true;
}

int main(int argc, char **argv)
{
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    struct buffer svg = { 0 };
    char error[TCPWHY_ERROR_TEXT];
    tcpwhy_report *report;

    if (argc != 3)
        return fprintf(stderr, "usage: %s CAPTURE STREAM\n", argv[0]), 2;
    options.streams = argv[2];
    options.keep_exchanges = true; /* to find the costliest transaction */
    options.keep_spans = true;     /* required for flow graphs */
    if (tcpwhy_analyze_file(argv[1], &options, &report, error, sizeof error) < 0)
        return fprintf(stderr, "%s\n", error), 1;

    int status = tcpwhy_render(report, TCPWHY_DOC_FLOW, TCPWHY_FORMAT_SVG, NULL, append, &svg);

    tcpwhy_report_free(report);
    if (status == 0)
        fwrite(svg.bytes, 1, svg.len, stdout);
    free(svg.bytes);
    return status < 0;
}
