/* SPDX-License-Identifier: MIT */
/*
 * Traffic over time, listeners and client ports as tables.
 */
#include "base/number.h"
#include "render/renderer.h"
#include "render/writers/table.h"
#include "render/view/text_parts.h"

/* Listeners and client hosts shown; the JSON has all. */
#define MAX_ROWS 20

/* A client host that took fewer ports than this, and none twice, is not worth a row. */
#define FEW_PORTS 100

/* ---- intervals ------------------------------------------------------------------------------- */

enum { AT, FRAMES, BITS, UP, DOWN, AGAIN, SYNS, UNANSWERED, OPENED };

static const struct tw_column interval_columns[] = {
    [AT] = { .title = "from s", .right = true },
    [FRAMES] = { .title = "frames/s", .right = true },
    [BITS] = { .title = "Mbit/s", .right = true },
    [UP] = { .title = "to server", .right = true, .leaves = 3 },
    [DOWN] = { .title = "to client", .right = true, .leaves = 2 },
    [AGAIN] = { .title = "retrans", .right = true },
    [SYNS] = { .title = "SYNs", .right = true },
    [UNANSWERED] = { .title = "unanswered", .right = true, .leaves = 1 },
    [OPENED] = { .title = "opened", .right = true, .leaves = 4 },
};

/* n in one interval as so many a second, with three decimals or none; little is not nothing. */
static void rate(GString *text, const struct tw_interval_series *t, uint64_t n, double per,
                 bool decimals)
{
    char number[TW_NUMBER_TEXT];
    double a_second = (double)n / per * 1e9 / (double)t->interval_ns;
    int64_t shown = (int64_t)(a_second * (decimals ? 1e3 : 1) + 0.5);

    if (n > 0 && shown == 0)
        g_string_append(text, decimals ? "<0.001" : "<1");
    else
        g_string_append(text,
                        tw_number_fixed(shown, decimals ? 3 : 0, decimals ? 3 : 0, true, number));
}

/* Which intervals have a row: those with frames, and of those in silence the first of each run. */
struct intervals_shown {
    const struct tw_interval_series *traffic;
    GArray *at; /* size_t, into traffic->interval */
};

static GArray *find_shown(const struct tw_interval_series *t)
{
    GArray *at = g_array_new(FALSE, FALSE, sizeof(size_t));

    for (size_t i = 0; i < t->n; i++)
        if (i == 0 || t->interval[i].frames > 0 || t->interval[i - 1].frames > 0)
            g_array_append_val(at, i);
    return at;
}

static void interval_cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                          GString *text, enum tw_tone *tone)
{
    const struct intervals_shown *shown = data;
    const struct tw_interval_series *t = shown->traffic;
    size_t at = g_array_index(shown->at, size_t, row);
    const struct tcpwhy_interval *i = &t->interval[at];
    uint64_t count = 0;
    char number[TW_NUMBER_TEXT];

    (void)page;
    if (column != AT && i->frames == 0) {
        g_string_append_c(text, '-');
        return;
    }
    switch (column) {
    case AT:
        g_string_append(text, tw_number_seconds(t->first_ns + (tcpwhy_ns)at * t->interval_ns,
                                                t->interval_ns % TCPWHY_S(1) ? 3 : 0, number));
        return;
    case FRAMES:
        rate(text, t, i->frames, 1, false);
        return;
    case BITS:
        rate(text, t, i->bytes * 8, 1e6, true);
        return;
    case UP:
    case DOWN:
        rate(text, t, i->payload_bytes[column == DOWN] * 8, 1e6, true);
        return;
    case AGAIN:
        count = i->retransmissions;
        break;
    case SYNS:
        count = i->syns;
        break;
    case UNANSWERED:
        count = i->unanswered;
        break;
    default:
        count = i->opened;
        break;
    }
    g_string_append(text, count ? tw_number_count(count, number) : "-");
    if (count && (column == AGAIN || column == UNANSWERED))
        *tone = TW_TONE_BAD;
}

static void intervals(struct tw_layout *page, const struct tw_interval_series *t)
{
    struct intervals_shown shown = { .traffic = t, .at = find_shown(t) };
    struct tw_table table = { .columns = interval_columns,
                              .n_columns = G_N_ELEMENTS(interval_columns),
                              .n_rows = shown.at->len,
                              .data = &shown,
                              .cell = interval_cell };
    char number[TW_NUMBER_TEXT];

    tw_layout_end_line(page);
    tw_layout_putf(page, TW_TONE_STRONG, "Traffic, intervals of %s",
                   tw_number_duration(t->interval_ns, number));
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_QUIET,
                   "to server, to client: payload in Mbit/s, without retransmissions");
    if (shown.at->len < t->n)
        tw_layout_line(page, TW_TONE_QUIET, "row of dashes: no frames until the next row");
    tw_table_draw(page, &table);
    g_array_free(shown.at, TRUE);
}

/* ---- listeners ------------------------------------------------------------------------------- */

enum { LISTENER, CONNECTIONS, L_SYNS, REPEATS, SHARE, REFUSED, RESETS, PEAK, WHY };

static const struct tw_column listener_columns[] = {
    [LISTENER] = { .title = "listener", .min = 21 },
    [CONNECTIONS] = { .title = "conns", .right = true },
    [L_SYNS] = { .title = "SYNs", .right = true, .leaves = 4 },
    [REPEATS] = { .title = "retrans", .right = true, .leaves = 3 },
    [SHARE] = { .title = "unanswered", .right = true },
    [REFUSED] = { .title = "refused", .right = true, .leaves = 1 },
    [RESETS] = { .title = "RST client, server", .right = true, .leaves = 5 },
    [PEAK] = { .title = "peak/s", .right = true, .leaves = 2 },
    [WHY] = { .title = "reason" },
};

static void why(const struct tcpwhy_openings *o, GString *text)
{
    if (o->silence == TCPWHY_SILENCE_NONE)
        return;
    g_string_append(text, tcpwhy_silence_name(o->silence));
    if (o->silence_confidence != TCPWHY_CERTAIN)
        g_string_append_c(text, '?');
}

static void listener_cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                          GString *text, enum tw_tone *tone)
{
    const struct tw_listener_row *l = (const struct tw_listener_row *)data + row;
    const struct tcpwhy_openings *o = &l->openings;
    char scratch[TCPWHY_ENDPOINT_TEXT + TW_NUMBER_TEXT];

    (void)page;
    switch (column) {
    case LISTENER:
        g_string_append(text, tcpwhy_endpoint_format(&l->endpoint, scratch));
        break;
    case CONNECTIONS:
        g_string_append(text, tw_number_count(l->connections, scratch));
        break;
    case L_SYNS:
        g_string_append(text, tw_number_count(o->syns, scratch));
        break;
    case REPEATS:
        g_string_append(text, tw_number_count(o->syn_repeats, scratch));
        break;
    case SHARE:
        g_string_append(text,
                        o->unanswered_syns ? tw_number_percent(o->unanswered_share, scratch) : "-");
        *tone = o->unanswered_syns ? TW_TONE_BAD : TW_TONE_PLAIN;
        break;
    case REFUSED:
        g_string_append(text, l->refused ? tw_number_count(l->refused, scratch) : "-");
        break;
    case RESETS:
        g_string_append_printf(text, "%s, ", tw_number_count(o->resets_by_client, scratch));
        g_string_append(text, tw_number_count(o->resets_by_server, scratch));
        break;
    case PEAK:
        g_string_append(text, tw_number_count((uint64_t)(o->peak_opened_per_s + 0.5), scratch));
        break;
    default:
        why(o, text);
        break;
    }
}

static void left_out(struct tw_layout *page, size_t n)
{
    if (n == 0)
        return;
    tw_layout_putf(page, TW_TONE_QUIET, "and %zu more", n);
    tw_layout_end_line(page);
}

static void listeners(struct tw_layout *page, const tcpwhy_report *report)
{
    size_t n;
    struct tw_table table = { .columns = listener_columns,
                              .n_columns = G_N_ELEMENTS(listener_columns),
                              .cell = listener_cell };

    table.data = tw_report_listeners(report, &n);
    if (n == 0)
        return;
    table.n_rows = MIN(n, MAX_ROWS);
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Listeners, most lost time first");
    tw_table_draw(page, &table);
    left_out(page, n - table.n_rows);
}

/* ---- client ports ---------------------------------------------------------------------------- */

enum { CLIENT, TO, PORTS, IN_USE, REUSED, FAILED };

static const struct tw_column port_columns[] = {
    [CLIENT] = { .title = "client", .min = 15 },
    [TO] = { .title = "listener", .min = 21 },
    [PORTS] = { .title = "ports", .right = true },
    [IN_USE] = { .title = "in use", .right = true },
    [REUSED] = { .title = "reused", .right = true },
    [FAILED] = { .title = "failed", .right = true },
};

static void port_cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                      GString *text, enum tw_tone *tone)
{
    const struct tcpwhy_ports *p = (const struct tcpwhy_ports *)data + row;
    const uint64_t counts[] = {
        [PORTS] = p->ports, [IN_USE] = p->in_use, [REUSED] = p->reused, [FAILED] = p->reuse_failed
    };
    char scratch[TCPWHY_ENDPOINT_TEXT + TW_NUMBER_TEXT];

    (void)page;
    if (column == CLIENT || column == TO)
        g_string_append(
            text, tcpwhy_endpoint_format(column == CLIENT ? &p->client : &p->listener, scratch));
    else
        g_string_append(text, tw_number_count(counts[column], scratch));
    if (p->exhausted)
        *tone = TW_TONE_BAD;
}

/* They are in order: those with the most ports first. */
static size_t worth_a_row(const struct tcpwhy_ports *p, size_t n)
{
    size_t worth = 0;

    for (size_t i = 0; i < n && i < MAX_ROWS; i++)
        if (p[i].in_use >= FEW_PORTS || p[i].reused > 0)
            worth = i + 1;
    return worth;
}

static void ports(struct tw_layout *page, const tcpwhy_report *report)
{
    size_t n;
    const struct tcpwhy_ports *p = tw_report_ports(report, &n);
    struct tw_table table = { .columns = port_columns,
                              .n_columns = G_N_ELEMENTS(port_columns),
                              .n_rows = worth_a_row(p, n),
                              .data = p,
                              .cell = port_cell };

    if (table.n_rows == 0)
        return;
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Client ports (in use until 60 s after the last frame)");
    tw_table_draw(page, &table);
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    const struct tw_interval_series *t = tw_report_traffic(request->report);

    tw_text_capture(page, request->report);
    tw_text_facts(page, request->report);
    if (tw_report_capture(request->report)->streams == 0)
        tw_text_say_no_stream(page, request->report);
    if (t->n > 0)
        intervals(page, t);
    listeners(page, request->report);
    ports(page, request->report);
}

const struct tw_renderer tw_renderer_traffic_text = {
    .document = TCPWHY_DOC_TRAFFIC,
    .text = text,
};
