/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "render/view/operations.h"
#include "render/view/view.h"
#include "report/figures/operation_waits.h"

/* ---- the table ------------------------------------------------------------------------------- */

/* "server_think 92%" */
static void mostly(const struct tw_waits *waits, tw_string *text, enum tw_tone *tone)
{
    enum tcpwhy_cause most = TCPWHY_CAUSE_NONE;
    tcpwhy_ns all_ns = 0;

    for (int cause = 0; cause < TW_N_CAUSES; cause++) {
        all_ns += waits->ns[cause];
        if (waits->ns[cause] > waits->ns[most])
            most = (enum tcpwhy_cause)cause;
    }
    if (all_ns == 0) {
        tw_string_append_c(text, '-');
        return;
    }
    tw_string_append_printf(text, "%s %s", tw_name_cause(most),
                            tw_percent((double)waits->ns[most] / (double)all_ns).text);
    *tone = tw_text_cause_tone(most);
}

static void all_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    mostly(&((const struct tw_operation_waits *)row)->all, text, tone);
}

static void slowest_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    mostly(&((const struct tw_operation_waits *)row)->slowest, text, tone);
}

#define OF(member) TW_AT(struct tw_operation_waits, member)
static const struct tw_field fields[] = {
    { "protocol", TW_TEXT, OF(o.protocol), .title = "protocol", .leaves = 4 },
    { "operation", TW_TEXT, OF(o.request), .zero_is_none = true, .title = "operation", .min = 20 },
    { "count", TW_UINT, OF(o.count), .title = "count" },
    { "total_ms", TW_MS, OF(o.total_ns), .title = "total ms", .format = TW_FORMAT_MS },
    { NULL, TW_TEXT, OF(o.request), .title = "mostly", .left = true, .cell = all_cell },
    { NULL, TW_MS, OF(o.max_ns), .title = "slowest ms", .format = TW_FORMAT_MS, .leaves = 2 },
    { NULL, TW_TEXT, OF(o.request), .title = "for", .left = true, .leaves = 1,
      .cell = slowest_cell },
    { NULL, TW_UINT, OF(slowest_stream), .title = "stream", .format = TW_FORMAT_PLAIN,
      .leaves = 3 },
    TW_FIELDS_END,
};

void tw_operation_ledger_table(const struct tw_request *request, struct tw_layout *page)
{
    g_autoptr(tw_array) rows = tw_operation_waits(request->report, &request->options);

    tw_operations_section(page, "What requests waited for, the longest together first", fields,
                          rows);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void waits_json(struct tw_json *to, const struct tw_waits *waits)
{
    tcpwhy_ns all_ns = 0;

    for (int cause = 0; cause < TW_N_CAUSES; cause++)
        all_ns += waits->ns[cause];
    tw_json_array(to, "waits");
    for (int cause = 0; cause < TW_N_CAUSES; cause++) {
        if (waits->ns[cause] <= 0)
            continue;
        tw_json_object(to, NULL);
        tw_json_string(to, "cause", tw_name_cause((unsigned)cause));
        tw_json_ms(to, "ms", waits->ns[cause]);
        tw_json_real(to, "share", (double)waits->ns[cause] / (double)all_ns);
        tw_json_end(to);
    }
    tw_json_end(to);
}

static void slowest_json(struct tw_json *to, const struct tw_operation_waits *row)
{
    const struct tcpwhy_exchange *e = row->slowest_request.e;

    if (!e) {
        tw_json_null(to, "slowest");
        return;
    }
    tw_json_object(to, "slowest");
    tw_json_uint(to, "stream", row->slowest_stream);
    tw_json_uint(to, "request_frame", e->request_frame);
    tw_json_ms(to, "total_ms", e->total_ns);
    waits_json(to, &row->slowest);
    tw_json_end(to);
}

void tw_operation_ledger_json(const struct tw_request *request, struct tw_json *to)
{
    g_autoptr(tw_array) rows = tw_operation_waits(request->report, &request->options);

    tw_json_array(to, "operations");
    for (guint i = 0; i < rows->len && !to->out->stopped; i++) {
        const struct tw_operation_waits *row = &tw_array_index(rows, struct tw_operation_waits, i);

        tw_json_object(to, NULL);
        tw_json_members(to, fields, row);
        waits_json(to, &row->all);
        slowest_json(to, row);
        tw_json_end(to);
    }
    tw_json_end(to);
}
