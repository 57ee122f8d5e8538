/* SPDX-License-Identifier: MIT */
/*
 * Exchanges of a finished connection: from its protocol's dissector where there is one, by
 * turn-taking elsewhere; then each message's bytes to the records that delivered them.
 */
#include "app/app.h"

#include "app/deliveries.h"
#include "app/dialog.h"
#include "app/turns.h"

/* What the log says of each side's end. */
struct ends {
    int64_t first[2]; /* offset of the first payload byte */
    int64_t acked[2]; /* of its bytes, by the other side */
    int64_t fin[2];   /* offset of its FIN, or TW_OPEN */
};

static void find_ends(const struct tw_log *log, const struct tw_deliveries d[2], struct ends *out)
{
    *out = (struct ends) { .fin = { TW_OPEN, TW_OPEN } };
    for (int side = 0; side < 2; side++)
        out->first[side] = d[side].n > 0 ? d[side].delivery[0].from : 1;
    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->flags & TW_ACK && r->ack > out->acked[!r->from])
            out->acked[!r->from] = r->ack;
        if (r->flags & TW_FIN && !(r->flags & TW_RST))
            out->fin[r->from] = tw_record_end(r) - 1;
    }
}

static void end_open_messages(const struct tw_dialog *dialog, const struct ends *ends,
                              GArray *exchanges)
{
    enum tcpwhy_side answerer = dialog->asker == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;

    for (guint i = 0; i < exchanges->len; i++) {
        struct tw_exchange *e = &g_array_index(exchanges, struct tw_exchange, i);

        e->framed = true;
        if (e->request_to == TW_OPEN)
            e->request_to = dialog->reached[dialog->asker];
        if (e->response_to != TW_OPEN)
            continue;
        e->response_to = dialog->reached[answerer];
        if (dialog->until_close)
            e->complete = ends->fin[answerer] <= e->response_to;
        else if (dialog->until_turn)
            e->complete = ends->acked[answerer] >= e->response_to;
    }
}

static void find_records(const struct tw_deliveries by_side[2], struct tw_exchange *e)
{
    const struct tw_deliveries *asked = &by_side[e->asker], *answered = &by_side[!e->asker];

    tw_deliveries_find(asked, e->request_from, e->request_to, &e->request_first, &e->request_last);
    if (!tw_deliveries_find(answered, e->response_from, e->response_to, &e->response_first,
                            &e->response_last))
        e->complete = false;
}

/* Responses end in the order of their requests, so one way through the log finds all. */
static void find_acks(const struct tw_log *log, GArray *exchanges)
{
    uint32_t i = 0;

    for (guint k = 0; k < exchanges->len; k++) {
        struct tw_exchange *e = &g_array_index(exchanges, struct tw_exchange, k);

        e->response_acked = TW_NO_RECORD;
        if (e->response_last == TW_NO_RECORD)
            continue;
        i = MAX(i, e->response_last);
        while (i < log->n && !(log->record[i].from == e->asker && log->record[i].flags & TW_ACK &&
                               log->record[i].ack >= e->response_to))
            i++;
        if (i < log->n)
            e->response_acked = i;
    }
}

static int by_request(const void *a, const void *b)
{
    const struct tw_exchange *x = a, *y = b;

    if (x->request_from != y->request_from)
        return x->request_from < y->request_from ? -1 : 1;
    return (x->response_from > y->response_from) - (x->response_from < y->response_from);
}

/* Nearly always sorted already. */
static void sort(GArray *exchanges)
{
    const struct tw_exchange *e = (const struct tw_exchange *)(void *)exchanges->data;

    for (guint i = 1; i < exchanges->len; i++)
        if (by_request(&e[i - 1], &e[i]) > 0) {
            g_array_sort(exchanges, by_request);
            return;
        }
}

/* A copy of what the dissector told so far, ended; an empty array when it told nothing. */
static GArray *told(const struct tw_dialog *dialog, const struct ends *ends)
{
    GArray *exchanges = g_array_new(FALSE, FALSE, sizeof(struct tw_exchange));

    if (dialog && dialog->exchange) {
        g_array_append_vals(exchanges, dialog->exchange->data, dialog->exchange->len);
        end_open_messages(dialog, ends, exchanges);
    }
    return exchanges;
}

static void append_turns(const struct tw_log *log, const struct tw_deliveries by_side[2],
                         const struct tw_dialog *dialog, const struct ends *ends, GArray *exchanges)
{
    guint before = exchanges->len;
    int64_t from[2] = { ends->first[0], ends->first[1] };
    const char *protocol = dialog ? dialog->inside : NULL;

    if (dialog && dialog->opaque) {
        from[dialog->asker] = MAX(dialog->asked_to, from[dialog->asker]);
        from[!dialog->asker] = MAX(dialog->answered_to, from[!dialog->asker]);
    } else if (before > 0) {
        return;
    }
    if (!protocol && before == 0 && dialog)
        protocol = dialog->protocol;
    tw_turns_append(log, by_side, from, dialog ? dialog->asker : TCPWHY_CLIENT,
                    protocol ? protocol : "turn", exchanges);
    if (dialog && dialog->inside_request && exchanges->len > before) {
        g_array_index(exchanges, struct tw_exchange, before).request = dialog->inside_request;
        g_array_index(exchanges, struct tw_exchange, before).host = dialog->inside_host;
    }
}

void tw_exchanges_build(const struct tw_log *log, const struct tw_app *app,
                        struct tw_exchanges *out)
{
    const struct tw_dialog *dialog = app ? tw_dialog_of(app) : NULL;
    struct tw_deliveries by_side[2];
    struct ends ends;
    GArray *exchanges;

    *out = (struct tw_exchanges) { 0 };
    tw_deliveries_collect(log, by_side);
    if (by_side[0].n == 0 && by_side[1].n == 0 && !(dialog && dialog->exchange))
        return;
    find_ends(log, by_side, &ends);
    exchanges = told(dialog, &ends);
    append_turns(log, by_side, dialog, &ends, exchanges);
    for (int side = 0; side < 2; side++)
        tw_deliveries_sort_by_offset(&by_side[side]);
    for (guint i = 0; i < exchanges->len; i++)
        find_records(by_side, &g_array_index(exchanges, struct tw_exchange, i));
    sort(exchanges);
    find_acks(log, exchanges);
    for (int side = 0; side < 2; side++)
        tw_deliveries_clear(&by_side[side]);
    out->n = exchanges->len;
    out->exchange = (struct tw_exchange *)(void *)g_array_free(exchanges, FALSE);
}

void tw_exchanges_clear(struct tw_exchanges *exchanges)
{
    g_free(exchanges->exchange);
    *exchanges = (struct tw_exchanges) { 0 };
}
