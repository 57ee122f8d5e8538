/* SPDX-License-Identifier: MIT */
/*
 * Exchanges of a finished connection: from its protocol's dissector where there is one, by
 * turn-taking elsewhere; then each message's bytes to the records that delivered them.
 */
#include "app/app.h"

#include "app/deliveries.h"
#include "app/dialog.h"
#include "app/turns.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>

static void end_open_messages(const struct tw_dialog *dialog, const struct tw_deliveries by_side[2],
                              struct tw_exchanges *exchanges)
{
    enum tcpwhy_side answerer = dialog->asker == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
    const struct tw_deliveries *answered = &by_side[answerer];

    for (uint32_t i = 0; i < exchanges->n; i++) {
        struct tw_exchange *e = &exchanges->exchange[i];

        e->framed = true;
        if (e->request_to == TW_OPEN)
            e->request_to = dialog->reached[dialog->asker];
        if (e->response_to != TW_OPEN)
            continue;
        e->response_to = dialog->reached[answerer];
        if (dialog->until_close)
            e->complete = answered->fin <= e->response_to;
        else if (dialog->until_turn)
            e->complete = answered->acked >= e->response_to;
    }
}

static void find_records(struct tw_deliveries by_side[2], struct tw_exchange *e)
{
    struct tw_deliveries *asked = &by_side[e->asker], *answered = &by_side[!e->asker];

    tw_deliveries_find(asked, e->request_from, e->request_to, &e->request_first, &e->request_last);
    if (!tw_deliveries_find(answered, e->response_from, e->response_to, &e->response_first,
                            &e->response_last))
        e->complete = false;
}

/* Responses end in the order of their requests, so one way through the log finds all. */
static void find_acks(const struct tw_log *log, struct tw_exchanges *exchanges)
{
    uint32_t i = 0;

    for (uint32_t k = 0; k < exchanges->n; k++) {
        struct tw_exchange *e = &exchanges->exchange[k];

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
static void sort(struct tw_exchanges *exchanges)
{
    struct tw_exchange *e = exchanges->exchange;

    for (uint32_t i = 1; i < exchanges->n; i++)
        if (by_request(&e[i - 1], &e[i]) > 0) {
            qsort(e, exchanges->n, sizeof *e, by_request);
            return;
        }
}

/* Copy what the dissector told so far, ended. */
static void take_told(const struct tw_dialog *dialog, const struct tw_deliveries by_side[2],
                      struct tw_exchanges *out)
{
    if (dialog->n > out->capacity) {
        out->exchange = g_new(struct tw_exchange, dialog->n);
        out->capacity = dialog->n;
    }
    memcpy(out->exchange, dialog->exchange, dialog->n * sizeof *out->exchange);
    out->n = dialog->n;
    end_open_messages(dialog, by_side, out);
}

/* Offset of the first payload byte. */
static int64_t begin_of(const struct tw_deliveries *d)
{
    return d->n > 0 ? d->delivery[0].from : 1;
}

static void append_turns(const struct tw_log *log, const struct tw_deliveries by_side[2],
                         const struct tw_dialog *dialog, struct tw_exchanges *exchanges)
{
    uint32_t before = exchanges->n;
    int64_t from[2] = { begin_of(&by_side[0]), begin_of(&by_side[1]) };
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
    if (dialog && dialog->inside_request && exchanges->n > before) {
        exchanges->exchange[before].request = dialog->inside_request;
        exchanges->exchange[before].host = dialog->inside_host;
    }
}

void tw_exchanges_build(const struct tw_log *log, const struct tw_app *app,
                        struct tw_exchanges *out)
{
    const struct tw_dialog *dialog = app ? tw_dialog_of(app) : NULL;
    struct tw_deliveries by_side[2];

    out->exchange = out->first;
    out->n = 0;
    out->capacity = G_N_ELEMENTS(out->first);
    tw_deliveries_collect(log, by_side);
    if (by_side[0].n == 0 && by_side[1].n == 0 && !(dialog && dialog->n > 0))
        return;
    if (dialog)
        take_told(dialog, by_side, out);
    append_turns(log, by_side, dialog, out);
    for (int side = 0; side < 2; side++)
        tw_deliveries_sort_by_offset(&by_side[side]);
    for (uint32_t i = 0; i < out->n; i++)
        find_records(by_side, &out->exchange[i]);
    sort(out);
    find_acks(log, out);
    for (int side = 0; side < 2; side++)
        tw_deliveries_clear(&by_side[side]);
}

void tw_exchanges_clear(struct tw_exchanges *exchanges)
{
    if (exchanges->exchange != exchanges->first)
        g_free(exchanges->exchange);
    exchanges->exchange = NULL;
    exchanges->n = exchanges->capacity = 0;
}
