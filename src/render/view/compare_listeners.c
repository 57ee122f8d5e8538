/* SPDX-License-Identifier: MIT */
/* Listeners, a row each, before and after. */
#include "render/view/compare_cells.h"
#include "render/view/compare_tables.h"
#include "render/view/compare_words.h"
#include "base/number.h"

enum { LISTENER, CHANGE, MEDIAN, REQUESTS, LOST, CONNECTIONS };

static const struct tw_column listener_columns[] = {
    [LISTENER] = { .title = "listener", .min = 14 },
    [CHANGE] = { .title = "change" },
    [MEDIAN] = { .title = "median ms", .right = true },
    [REQUESTS] = { .title = "requests", .right = true, .leaves = 1 },
    [LOST] = { .title = "lost ms each", .right = true, .leaves = 2 },
    [CONNECTIONS] = { .title = "connections", .right = true, .leaves = 3 },
};

static const char *listener_change(const struct tw_listener_change *l)
{
    if (l->endpoint[0].version == 0)
        return "only after";
    if (l->endpoint[1].version == 0)
        return "only before";
    return l->change == TCPWHY_CHANGE_NONE ? "=" : tcpwhy_change_name(l->change);
}

/* "680 \u2192 27,300" */
static void put_counts(GString *text, uint64_t before, uint64_t after)
{
    char number[TW_NUMBER_TEXT];

    g_string_append(text, before ? tw_number_count(before, number) : "-");
    g_string_append(text, " \u2192 ");
    g_string_append(text, after ? tw_number_count(after, number) : "-");
}

static void put_times(GString *text, tcpwhy_ns before, tcpwhy_ns after)
{
    tw_compare_put_ms(text, before, MAX(before, after));
    g_string_append(text, " \u2192 ");
    tw_compare_put_ms(text, after, MAX(before, after));
}

static void listener_cell(const struct tw_layout *page, const void *data, size_t row, size_t at,
                          GString *text, enum tw_tone *tone)
{
    const struct tw_listener_change *l = (const struct tw_listener_change *)data + row;

    (void)page;
    switch (at) {
    case LISTENER:
        tw_compare_where(text, l);
        break;
    case CHANGE:
        g_string_append(text, listener_change(l));
        *tone = tw_compare_tone(l->change);
        break;
    case MEDIAN:
        put_times(text, l->latency[0].p50_ns, l->latency[1].p50_ns);
        break;
    case REQUESTS:
        put_counts(text, l->latency[0].count, l->latency[1].count);
        break;
    case LOST:
        put_times(text, tw_compare_lost_each(l, TCPWHY_BEFORE),
                  tw_compare_lost_each(l, TCPWHY_AFTER));
        break;
    default:
        put_counts(text, l->connections[0], l->connections[1]);
        break;
    }
}

void tw_compare_listeners(struct tw_layout *page, const struct tw_listener_change *listener,
                          size_t n, tw_compare_draw *draw)
{
    struct tw_table table = { .columns = listener_columns,
                              .n_columns = G_N_ELEMENTS(listener_columns),
                              .n_rows = MIN(n, TW_COMPARE_LISTENERS),
                              .indent = 2,
                              .data = listener,
                              .cell = listener_cell };

    draw(page, &table);
}
