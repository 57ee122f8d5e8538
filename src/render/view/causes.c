/* SPDX-License-Identifier: MIT */
/*
 * The description of a cause and of a failure, or one line for each of all.
 */
#include "base/counts.h"
#include "base/text.h"
#include "render/renderer.h"

#define NAME_WIDTH 28

static void row(struct tw_layout *page, const char *name, const char *title)
{
    tw_layout_put(page, TW_TONE_STRONG, name);
    tw_layout_tab(page, NAME_WIDTH);
    tw_layout_paragraph(page, NAME_WIDTH, TW_TONE_PLAIN, title);
}

static void brief(const struct tw_request *request, struct tw_layout *page)
{
    (void)request;
    for (int c = TCPWHY_CAUSE_NONE + 1; c < TW_N_CAUSES; c++) {
        const struct tcpwhy_cause_info *info = tcpwhy_cause_info((enum tcpwhy_cause)c);

        row(page, info->name, info->title);
    }
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Failures");
    for (int f = TCPWHY_FAILURE_NONE + 1; f < TW_N_FAILURES; f++) {
        const struct tcpwhy_failure_info *info = tcpwhy_failure_info((enum tcpwhy_failure_kind)f);

        row(page, info->name, info->title);
    }
}

/* A line of the text is a paragraph, an item of a list, or empty. */
static void part(struct tw_layout *page, const char *heading, const char *text)
{
    char **line = tw_strsplit(text, "\n");

    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, heading);
    for (size_t i = 0; line[i]; i++) {
        tw_layout_tab(page, 2);
        tw_layout_paragraph(page, g_str_has_prefix(line[i], "- ") ? 4 : 2, TW_TONE_PLAIN, line[i]);
    }
    tw_strfreev(line);
}

static void title(struct tw_layout *page, const char *name, const char *phrase)
{
    tw_layout_putf(page, TW_TONE_STRONG, "%s: ", name);
    tw_layout_paragraph(page, 2, TW_TONE_PLAIN, phrase);
}

static void full_cause(struct tw_layout *page, const struct tcpwhy_cause_info *info)
{
    title(page, info->name, info->title);
    part(page, "What it is", info->what);
    part(page, "How it is decided", info->decided);
    part(page, "What looks like it and is not", info->unlike);
    part(page, "How to confirm it on the host", info->confirm);
    part(page, "How to fix it", info->mend);
}

static void full_failure(struct tw_layout *page, const struct tcpwhy_failure_info *info)
{
    title(page, info->name, info->title);
    part(page, "What it is", info->what);
    part(page, "How it is decided", info->decided);
    part(page, "How to fix it", info->mend);
}

/* A failure alone leaves the cause at "none". */
static bool asks_cause(const struct tw_request *request)
{
    return request->options.cause != TCPWHY_CAUSE_NONE ||
           request->options.failure == TCPWHY_FAILURE_NONE;
}

static void full(const struct tw_request *request, struct tw_layout *page)
{
    bool cause = asks_cause(request);

    if (cause)
        full_cause(page, tcpwhy_cause_info(request->options.cause));
    if (request->options.failure == TCPWHY_FAILURE_NONE)
        return;
    if (cause) {
        tw_layout_end_line(page);
        tw_layout_line(page, TW_TONE_STRONG, "As a failure");
    }
    full_failure(page, tcpwhy_failure_info(request->options.failure));
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void one(struct tw_json *json, const struct tcpwhy_cause_info *info)
{
    tw_json_object(json, NULL);
    tw_json_string(json, "cause", info->name);
    tw_json_string(json, "title", info->title);
    tw_json_string(json, "what", info->what);
    tw_json_string(json, "decided", info->decided);
    tw_json_string(json, "unlike", info->unlike);
    tw_json_string(json, "confirm", info->confirm);
    tw_json_string(json, "mend", info->mend);
    tw_json_end(json);
}

static void one_failure(struct tw_json *json, const struct tcpwhy_failure_info *info)
{
    tw_json_object(json, NULL);
    tw_json_string(json, "failure", info->name);
    tw_json_string(json, "title", info->title);
    tw_json_string(json, "what", info->what);
    tw_json_string(json, "decided", info->decided);
    tw_json_string(json, "mend", info->mend);
    tw_json_end(json);
}

static void array(const struct tw_request *request, struct tw_json *json, bool all)
{
    bool cause = asks_cause(request);

    tw_json_array(json, "causes");
    for (int c = TCPWHY_CAUSE_NONE; c < TW_N_CAUSES; c++)
        if (all || (cause && request->options.cause == (enum tcpwhy_cause)c))
            one(json, tcpwhy_cause_info((enum tcpwhy_cause)c));
    tw_json_end(json);
    tw_json_array(json, "failures");
    for (int f = TCPWHY_FAILURE_NONE + 1; f < TW_N_FAILURES; f++)
        if (all || request->options.failure == (enum tcpwhy_failure_kind)f)
            one_failure(json, tcpwhy_failure_info((enum tcpwhy_failure_kind)f));
    tw_json_end(json);
}

static void json_of_one(const struct tw_request *request, struct tw_json *json)
{
    array(request, json, false);
}

static void json_of_all(const struct tw_request *request, struct tw_json *json)
{
    array(request, json, true);
}

static bool is_cause(const struct tw_request *request)
{
    return tcpwhy_cause_info(request->options.cause) &&
           tcpwhy_failure_info(request->options.failure);
}

const struct tw_renderer tw_renderer_cause = {
    .document = TCPWHY_DOC_CAUSE,
    .command = "causes",
    .without_report = true,
    .ready = is_cause,
    .text = full,
    .json = json_of_one,
};

const struct tw_renderer tw_renderer_causes = {
    .document = TCPWHY_DOC_CAUSES,
    .command = "causes",
    .without_report = true,
    .text = brief,
    .json = json_of_all,
};
