/* SPDX-License-Identifier: MIT */
/*
 * Findings: the cause and its owner, its cost, the frames that prove it, the fix; laid out once for
 * text, HTML and JSON.
 */
#include <string.h>

#include "render/view/view.h"
#include "report/report_views.h"

/* What distinguishes findings of one endpoint: ", the worst of 53 with 10.9.0.1". */
static bool frames(const void *record, struct tw_frames *frames, tw_string *behind)
{
    const struct tw_finding_row *f = record;

    *frames = (struct tw_frames) { f->stream, f->frames, f->n_frames };
    if (!behind || f->streams <= 1)
        return true;
    tw_string_append_printf(behind, ", the worst of %s", tw_count(f->streams).text);
    if (f->peer.version != 0)
        tw_string_append_printf(behind, " with %s", tw_endpoint(&f->peer).text);
    return true;
}

static void rival(const void *record, tw_string *text, enum tw_tone *tone)
{
    const struct tw_finding_row *f = record;

    *tone = TW_TONE_WARN;
    if (f->rival != TCPWHY_CAUSE_NONE)
        tw_string_append_printf(text, "%s (tcpwhy causes %s)", tw_name_cause(f->rival),
                                tw_name_cause(f->rival));
}

void tw_json_details(struct tw_json *json, const struct tw_finding_row *f)
{
    for (size_t i = 0; i < f->n_details; i++) {
        if (f->details[i].text)
            tw_json_string(json, f->details[i].name, f->details[i].text);
        else
            tw_json_real(json, f->details[i].name, f->details[i].number);
    }
}

static void details(struct tw_json *json, const void *record)
{
    tw_json_object(json, "detail");
    tw_json_details(json, record);
    tw_json_end(json);
}

#define OF(member) TW_AT(struct tw_finding_row, member)
static const struct tw_field fields[] = {
    { "cause", TW_NAME, OF(cause), .name = tw_name_cause },
    { "party", TW_NAME, OF(party), .name = tw_name_party },
    { "endpoint", TW_ENDPOINT, OF(endpoint) },
    { "endpoint_name", TW_TEXT, OF(endpoint_name), .label = "name", .column = 2 },
    { "peer", TW_ENDPOINT, OF(peer) },
    { "stream", TW_UINT, OF(stream) },
    { "streams", TW_UINT, OF(streams) },
    { "cost_ms", TW_MS, OF(cost_ns) },
    { "count", TW_UINT, OF(count) },
    { "median_ms", TW_MS, OF(median_ns) },
    { "confidence", TW_NAME, OF(confidence), .name = tw_name_confidence },
    { "rival", TW_NAME, OF(rival), .name = tw_name_rival, .label = "could also be", .cell = rival,
      .column = 4 },
    { "frames", TW_FRAMES, .frames = frames, .label = "frames", .column = 3 },
    { .kind = TW_CALL, .json = details },
    { "summary", TW_TEXT, OF(summary), .label = "", .column = 1 },
    { "remedy", TW_TEXT, OF(remedy), .label = "fix", .tone = TW_TONE_NOTE, .column = 5 },
    TW_FIELDS_END,
};
#undef OF

/* ---- lists ----------------------------------------------------------------------------------- */

/* The first finding of a cause explains it. */
static enum tcpwhy_cause explained(const struct tw_finding_row *f, size_t number)
{
    for (size_t i = 1; i < number; i++)
        if (f[-(ptrdiff_t)i].cause == f->cause)
            return TCPWHY_CAUSE_NONE;
    return f->cause;
}

static void item(struct tw_item *item, const void *record)
{
    const struct tw_finding_row *f = record;

    tw_text_title(item->title, f->cause);
    item->brief = tw_name_cause(f->cause);
    item->whose = tw_name_party(f->party);
    tw_text_holder(item->place, &f->endpoint, f->endpoint_name, TCPWHY_PARTY_NONE);
    tw_text_holder(item->holder, &f->endpoint, f->endpoint_name, f->party);
    tw_string_append(item->cost, tw_duration(f->cost_ns).text);
    item->confidence = f->confidence;
    item->tone = tw_text_cause_tone(f->cause);
    item->cause = f->cause;
    item->about = explained(f, item->number);
    item->streams = f->streams;
    frames(f, &item->frames, NULL);
}

void tw_findings(const struct tw_form *form, struct tw_layout *page, const tcpwhy_report *report)
{
    struct tw_list list = { .form = form,
                            .page = page,
                            .title = "Findings",
                            .small = "Smaller findings",
                            .more = "smaller ones",
                            .fields = fields,
                            .item = item };
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    for (size_t i = 0; i < n; i++)
        tw_list_put(&list, &f[i], f[i].cost_ns < f[0].cost_ns / form->small_part);
    tw_list_end(&list);
}

/* Is there a file to look a stream up in? */
static bool has_file(const tcpwhy_report *report)
{
    const char *file = tw_report_capture(report)->file;

    return file[0] != '\0' && strcmp(file, "-") != 0;
}

void tw_text_findings(struct tw_layout *page, const tcpwhy_report *report)
{
    size_t n;

    page->links = has_file(report) ? "" : NULL;
    tw_failures(&tw_form_text, page, report);
    tw_report_findings(report, &n);
    if (n > 0)
        tw_layout_end_line(page);
    tw_findings(&tw_form_text, page, report);
}

void tw_json_findings(struct tw_json *json, const struct tw_request *request)
{
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(request->report, &n);
    size_t shown = tw_request_rows(request, n);

    tw_json_records(json, "findings", fields, f, shown, sizeof(*f));
    tw_json_left_out(json, "findings_left_out", n - shown);
}

/* ---- one by itself, as it is told while packets come in -------------------------------------- */

static bool ready(const struct tw_request *request)
{
    return request->options.finding != NULL;
}

/* With the name by which the report, if there is one, knows its endpoint. */
static struct tw_finding_row *row_of(const struct tw_request *request)
{
    struct tw_finding_row *row = tw_finding_of_view(request->options.finding);

    if (request->report)
        row->endpoint_name = tcpwhy_report_name(request->report, &row->endpoint);
    return row;
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    tw_autofree struct tw_finding_row *row = row_of(request);
    const struct tw_list list = {
        .form = &tw_form_text, .page = page, .fields = fields, .item = item
    };

    tw_list_alone(&list, row);
}

static void lines(const struct tw_request *request, struct tw_json *json)
{
    tw_autofree struct tw_finding_row *row = row_of(request);

    tw_json_record(json, NULL, fields, row);
}

const struct tw_renderer tw_renderer_finding = {
    .document = TCPWHY_DOC_FINDING,
    .without_report = true,
    .ready = ready,
    .text = text,
    .lines = lines,
};
