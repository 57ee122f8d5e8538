/* SPDX-License-Identifier: MIT */
/*
 * Failures as records of schema tcpwhy/1.
 */
#include "render/view/names.h"
#include "render/view/records.h"
#include "render/writers/fields.h"

static void evidence(struct tw_json *json, const void *record)
{
    const struct tw_failure_row *f = record;

    tw_json_array(json, "frames");
    for (size_t i = 0; i < f->n_frames; i++)
        tw_json_uint(json, NULL, f->frames[i]);
    tw_json_end(json);
    tw_json_array(json, "clues");
    for (size_t i = 0; i < f->n_clues; i++) {
        tw_json_object(json, NULL);
        tw_json_string(json, "name", f->clues[i].name);
        tw_json_string(json, "text", f->clues[i].text);
        tw_json_end(json);
    }
    tw_json_end(json);
}

static void stream(struct tw_json *json, const void *record)
{
    const struct tw_failure_row *f = record;

    if (f->stream == TCPWHY_NO_STREAM)
        tw_json_null(json, "stream");
    else
        tw_json_uint(json, "stream", f->stream);
}

#define OF(member) TW_AT(struct tw_failure_row, member)
static const struct tw_field fields[] = {
    { "kind", TW_NAME, OF(kind), .name = tw_name_failure },
    { "failed", TW_NAME, OF(failed), .name = tw_name_failed },
    { .kind = TW_CALL, .json = stream },
    { "client", TW_ENDPOINT, OF(client) },
    { "server", TW_ENDPOINT, OF(server) },
    { "time_ms", TW_MS, OF(time_ns) },
    { "after_ms", TW_MS, OF(after_ns) },
    { "who", TW_NAME, OF(who), .name = tw_name_culprit },
    { "seen_as", TW_NAME, OF(seen_as), .name = tw_name_seen_as },
    { "confidence", TW_NAME, OF(confidence), .name = tw_name_confidence },
    { .kind = TW_CALL, .json = evidence },
    { "summary", TW_TEXT, OF(summary) },
    { "remedy", TW_TEXT, OF(remedy) },
    TW_FIELDS_END,
};
#undef OF

void tw_json_failures(struct tw_json *json, const tcpwhy_report *report)
{
    size_t n;
    const struct tw_failure_row *f = tw_report_failures(report, &n);

    tw_json_array(json, "failures");
    for (size_t i = 0; i < n; i++)
        tw_json_record(json, NULL, fields, &f[i]);
    tw_json_end(json);
}
