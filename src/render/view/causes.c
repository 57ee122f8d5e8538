/* SPDX-License-Identifier: MIT */
/*
 * The description of a cause and of a failure, or one line for each of all.
 */
#include "base/counts.h"
#include "base/text.h"
#include "render/renderer.h"
#include "render/writers/fields.h"

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
    tw_layout_heading(page, "Failures");
    for (int f = TCPWHY_FAILURE_NONE + 1; f < TW_N_FAILURES; f++) {
        const struct tcpwhy_failure_info *info = tcpwhy_failure_info((enum tcpwhy_failure_kind)f);

        row(page, info->name, info->title);
    }
}

/* A section has a label. */
#define OF(member) TW_AT(struct tcpwhy_cause_info, member)
static const struct tw_field cause_fields[] = {
    { "cause", TW_TEXT, OF(name) },
    { "title", TW_TEXT, OF(title) },
    { "what", TW_TEXT, OF(what), .label = "What it is" },
    { "decided", TW_TEXT, OF(decided), .label = "How it is decided" },
    { "unlike", TW_TEXT, OF(unlike), .label = "What looks like it and is not" },
    { "confirm", TW_TEXT, OF(confirm), .label = "How to confirm it on the host" },
    { "mend", TW_TEXT, OF(mend), .label = "How to fix it" },
    TW_FIELDS_END,
};
#undef OF

#define OF(member) TW_AT(struct tcpwhy_failure_info, member)
static const struct tw_field failure_fields[] = {
    { "failure", TW_TEXT, OF(name) },
    { "title", TW_TEXT, OF(title) },
    { "what", TW_TEXT, OF(what), .label = "What it is" },
    { "decided", TW_TEXT, OF(decided), .label = "How it is decided" },
    { "mend", TW_TEXT, OF(mend), .label = "How to fix it" },
    TW_FIELDS_END,
};

/* A line of the text is a paragraph, an item of a list, or empty. */
static void section(void *user, const struct tw_field *field, const struct tw_frames *frames,
                    enum tw_tone tone, const char *text)
{
    struct tw_layout *page = user;
    char **line = tw_strsplit(text, "\n");

    (void)frames;
    tw_layout_heading(page, field->label);
    for (size_t i = 0; line[i]; i++) {
        tw_layout_tab(page, 2);
        tw_layout_paragraph(page, g_str_has_prefix(line[i], "- ") ? 4 : 2, tone, line[i]);
    }
    tw_strfreev(line);
}

static void sections(struct tw_layout *page, const char *name, const char *title,
                     const struct tw_field *fields, const void *info)
{
    tw_layout_putf(page, TW_TONE_STRONG, "%s: ", name);
    tw_layout_paragraph(page, 2, TW_TONE_PLAIN, title);
    tw_fields_lines(fields, info, section, page);
}

/* A failure alone leaves the cause at "none". */
static bool asks_cause(const struct tw_request *request)
{
    return request->options.cause != TCPWHY_CAUSE_NONE ||
           request->options.failure == TCPWHY_FAILURE_NONE;
}

static void full(const struct tw_request *request, struct tw_layout *page)
{
    const struct tcpwhy_cause_info *cause = tcpwhy_cause_info(request->options.cause);
    const struct tcpwhy_failure_info *failure = tcpwhy_failure_info(request->options.failure);

    if (asks_cause(request))
        sections(page, cause->name, cause->title, cause_fields, cause);
    if (request->options.failure == TCPWHY_FAILURE_NONE)
        return;
    if (asks_cause(request)) {
        tw_layout_heading(page, "As a failure");
    }
    sections(page, failure->name, failure->title, failure_fields, failure);
}

static void array(const struct tw_request *request, struct tw_json *json, bool all)
{
    bool cause = asks_cause(request);

    tw_json_array(json, "causes");
    for (int c = TCPWHY_CAUSE_NONE; c < TW_N_CAUSES; c++)
        if (all || (cause && request->options.cause == (enum tcpwhy_cause)c))
            tw_json_record(json, NULL, cause_fields, tcpwhy_cause_info((enum tcpwhy_cause)c));
    tw_json_end(json);
    tw_json_array(json, "failures");
    for (int f = TCPWHY_FAILURE_NONE + 1; f < TW_N_FAILURES; f++)
        if (all || request->options.failure == (enum tcpwhy_failure_kind)f)
            tw_json_record(json, NULL, failure_fields,
                           tcpwhy_failure_info((enum tcpwhy_failure_kind)f));
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
