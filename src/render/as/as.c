/* SPDX-License-Identifier: MIT */
#include "render/as/as.h"

#include <stdarg.h>
#include <string.h>

#include "base/array.h"
#include "render/view/view.h"

static void (*const tools[])(struct tw_as *) = {
    [TCPWHY_TOOL_WRK] = tw_as_wrk,
    [TCPWHY_TOOL_AB] = tw_as_ab,
    [TCPWHY_TOOL_HPING3] = tw_as_hping3,
    [TCPWHY_TOOL_IPERF3] = tw_as_iperf3,
    [TCPWHY_TOOL_TRACEROUTE] = tw_as_traceroute,
    [TCPWHY_TOOL_SS] = tw_as_ss,
};

void tw_as_note(struct tw_as *as, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    tw_ptr_array_add(as->notes, tw_strdup_vprintf(format, values));
    va_end(values);
}

/* Larger numbers are no one's. */
#define MOST_REAL 9e15

struct tw_short_text tw_as_real(double value, unsigned decimals)
{
    double power = 1;

    for (unsigned i = 0; i < decimals; i++)
        power *= 10;
    value = CLAMP(value * power, -MOST_REAL, MOST_REAL);
    return tw_fixed((int64_t)(value + (value < 0 ? -0.5 : 0.5)), decimals, decimals, false);
}

struct tw_short_text tw_as_scaled(double value, double base, const char *const *units,
                                  unsigned (*decimals)(double value))
{
    struct tw_short_text own;

    for (; value >= base && units[1]; units++)
        value /= base;
    own = tw_as_real(value, decimals(value));
    strcat(own.text, *units);
    return own;
}

static bool ready(const struct tw_request *request)
{
    return (unsigned)request->options.tool < G_N_ELEMENTS(tools);
}

static struct tw_as begin(const struct tw_request *request, struct tw_json *json)
{
    return (struct tw_as) { .request = request,
                            .lines = tw_string_new(NULL),
                            .notes = tw_ptr_array_new_with_free_func(tw_free),
                            .json = json };
}

static void end(struct tw_as *as)
{
    tw_string_free(as->lines, TRUE);
    tw_ptr_array_free(as->notes, TRUE);
}

/* Of lines that go on with the one before words are wrapped; tables stay as they are. */
static void line(struct tw_layout *page, const char *text)
{
    unsigned indent = (unsigned)strspn(text, " ");

    if (indent < 4 || strlen(text) <= page->columns) {
        tw_layout_line(page, TW_TONE_PLAIN, text);
        return;
    }
    tw_layout_tab(page, indent);
    tw_layout_paragraph(page, indent, TW_TONE_PLAIN, text + indent);
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    struct tw_as as = begin(request, NULL);
    g_auto(tw_strv) lines = NULL;

    if (tw_report_capture(request->report)->streams == 0) {
        tw_text_capture(page, request->report);
        tw_text_say_no_stream(page, request->report);
        end(&as);
        return;
    }
    tools[request->options.tool](&as);
    lines = tw_strsplit(as.lines->str, "\n");
    for (guint i = 0; lines[i]; i++)
        if (lines[i + 1] || lines[i][0])
            line(page, lines[i]);
    if (as.notes->len > 0)
        tw_layout_end_line(page);
    for (guint i = 0; i < as.notes->len; i++)
        tw_layout_entry(page, 2, "-", TW_TONE_QUIET, tw_ptr_array_index(as.notes, i));
    end(&as);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    struct tw_as as = begin(request, to);
    g_auto(tw_strv) lines = NULL;

    tw_json_string(to, "tool", tcpwhy_tool_name(request->options.tool));
    tw_json_object(to, "figures");
    if (tw_report_capture(request->report)->streams > 0)
        tools[request->options.tool](&as);
    tw_json_end(to);
    tw_json_array(to, "lines");
    lines = tw_strsplit(as.lines->str, "\n");
    for (guint i = 0; lines[i]; i++)
        if (lines[i + 1] || lines[i][0])
            tw_json_string(to, NULL, lines[i]);
    tw_json_end(to);
    tw_json_array(to, "notes");
    for (guint i = 0; i < as.notes->len; i++)
        tw_json_string(to, NULL, tw_ptr_array_index(as.notes, i));
    tw_json_end(to);
    end(&as);
}

const struct tw_renderer tw_renderer_as = {
    .document = TCPWHY_DOC_AS,
    .command = "as",
    .ready = ready,
    .text = text,
    .json = json,
};
