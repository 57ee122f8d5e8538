/* SPDX-License-Identifier: MIT */
#include "render/view/operations.h"

#include "base/array.h"
#include "render/view/view.h"

void tw_operations_say_none(struct tw_layout *page, const struct tw_request *request)
{
    const struct tcpwhy_render_options all = { 0 };
    g_autoptr(tw_array) requests = tw_operations_requests(request->report, &all);
    g_autoptr(tw_string) line = tw_string_new("No request/response pair was found.");

    if (requests->len > 0) {
        tw_string_printf(line, "None of %s is what was asked for.",
                         tw_plural(requests->len, "request", "requests").text);
    }
    tw_layout_line(page, TW_TONE_WARN, line->str);
}

#define OF(member) TW_AT(struct tw_operation, member)
const struct tw_field tw_operation_fields[] = {
    { "protocol", TW_TEXT, OF(protocol), .title = "protocol", .column = 1 },
    { "operation", TW_TEXT, OF(request), .zero_is_none = true, .title = "operation", .min = 20,
      .column = 2 },
    { "count", TW_UINT, OF(count), .title = "count", .column = 3 },
    { "failed", TW_UINT, OF(failed), .title = "failed", .leaves = 2, .column = 4 },
    { "p50_ms", TW_MS, OF(p50_ns), .title = "median ms", .format = TW_FORMAT_MS, .column = 5 },
    { "p99_ms", TW_MS, OF(p99_ns), .title = "p99 ms", .format = TW_FORMAT_MS, .column = 6 },
    { "max_ms", TW_MS, OF(max_ns), .title = "max ms", .format = TW_FORMAT_MS, .leaves = 1,
      .column = 7 },
    { "total_ms", TW_MS, OF(total_ns), .title = "total ms", .format = TW_FORMAT_MS, .column = 8 },
    { "request_bytes", TW_UINT, OF(request_bytes) },
    { "response_bytes", TW_UINT, OF(response_bytes) },
    TW_FIELDS_END,
};

void tw_operations_section(struct tw_layout *page, const char *title, const struct tw_field *fields,
                           const tw_array *records)
{
    tw_layout_heading(page, title);
    if (records->len == 0)
        tw_layout_line(page, TW_TONE_WARN, "No request/response pair was found.");
    else
        tw_fields_table(page, fields, records->data, records->len,
                        tw_array_get_element_size(records), 0);
}
