/* SPDX-License-Identifier: MIT */
/* Listeners, a row each, before and after. */
#include "render/view/compare.h"
#include "render/view/view.h"

static const char *listener_change(const struct tw_listener_change *l)
{
    if (l->endpoint[0].version == 0)
        return "only after";
    if (l->endpoint[1].version == 0)
        return "only before";
    return l->change == TCPWHY_CHANGE_NONE ? "=" : tcpwhy_change_name(l->change);
}

/* "680 \u2192 27,300" */
static void put_counts(tw_string *text, uint64_t before, uint64_t after)
{
    tw_string_append_printf(text, "%s \u2192 %s", before ? tw_count(before).text : "-",
                            after ? tw_count(after).text : "-");
}

static void put_times(tw_string *text, tcpwhy_ns before, tcpwhy_ns after)
{
    tw_compare_put_ms(text, before, MAX(before, after));
    tw_string_append(text, " \u2192 ");
    tw_compare_put_ms(text, after, MAX(before, after));
}

static void where_words(tw_string *text, const void *row)
{
    tw_compare_where(text, row);
}

static void change_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct tw_listener_change *l = row;

    tw_string_append(text, listener_change(l));
    *tone = tw_compare_tone(l->change);
}

static void median_words(tw_string *text, const void *row)
{
    const struct tw_listener_change *l = row;

    put_times(text, l->latency[0].p50_ns, l->latency[1].p50_ns);
}

static void requests_words(tw_string *text, const void *row)
{
    const struct tw_listener_change *l = row;

    put_counts(text, l->latency[0].count, l->latency[1].count);
}

static void lost_words(tw_string *text, const void *row)
{
    const struct tw_listener_change *l = row;

    put_times(text, tw_compare_lost_each(l, TCPWHY_BEFORE), tw_compare_lost_each(l, TCPWHY_AFTER));
}

static void connections_words(tw_string *text, const void *row)
{
    const struct tw_listener_change *l = row;

    put_counts(text, l->connections[0], l->connections[1]);
}

/* ---- the fields ------------------------------------------------------------------------------ */

static void exchanges(struct tw_json *json, const void *record)
{
    const struct tw_listener_change *l = record;

    tw_json_object(json, "exchanges");
    tw_json_latency(json, "before", &l->latency[0], &l->status[0]);
    tw_json_latency(json, "after", &l->latency[1], &l->status[1]);
    tw_json_end(json);
}

static void ledger(struct tw_json *json, const void *record)
{
    const struct tw_listener_change *l = record;

    tw_json_records(json, "ledger", tw_compare_cause_fields, l->causes, l->n_causes,
                    sizeof(*l->causes));
}

#define OF(member) TW_AT(struct tw_listener_change, member)

static const struct tw_field fields[] = {
    { "endpoint", TW_ENDPOINT, OF(endpoint), .pair = true, .title = "listener", .min = 14,
      .words = where_words },
    { "change", TW_NAME, OF(change), .name = tw_name_change, .title = "change",
      .cell = change_cell },
    { "per", TW_NAME, OF(per), .name = tw_name_per },
    { NULL, TW_MS, .title = "median ms", .words = median_words },
    { NULL, TW_UINT, .title = "requests", .leaves = 1, .words = requests_words },
    { NULL, TW_MS, .title = "lost ms each", .leaves = 2, .words = lost_words },
    { "connections", TW_UINT, OF(connections), .pair = true, .title = "connections", .leaves = 3,
      .words = connections_words },
    { "unanswered", TW_UINT, OF(unanswered), .pair = true },
    { "refused", TW_UINT, OF(refused), .pair = true },
    { .kind = TW_CALL, .json = exchanges },
    { "payload_bytes", TW_UINT, OF(payload_bytes), .pair = true },
    { "life_ms", TW_MS, OF(life_ns), .pair = true },
    { "waited_ms", TW_MS, OF(waited_ns), .pair = true },
    { "lost_ms", TW_MS, OF(lost_ns), .pair = true },
    { .kind = TW_CALL, .json = ledger },
    TW_FIELDS_END,
};

#undef OF

void tw_compare_listener_json(struct tw_json *json, const char *key,
                              const struct tw_listener_change *listener)
{
    tw_json_record(json, key, fields, listener);
}

void tw_compare_listeners(struct tw_layout *page, const struct tw_listener_change *listener,
                          size_t n, tw_table_fn *draw)
{
    tw_fields_draw(page, fields, listener, MIN(n, TW_COMPARE_LISTENERS), sizeof(*listener), 2,
                   draw);
}
