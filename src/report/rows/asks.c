/* SPDX-License-Identifier: MIT */
#include "report/rows/asks.h"

#include <glib.h>

#include "base/memory.h"
#include "report/findings/materiality.h"

/* A client that asks again within that time of an answer was busy with nothing else. */
#define NEXT_ASK_NS TCPWHY_MS(1)

static void add(struct tw_asks *asks, const struct tw_ask *ask)
{
    if (asks->n == asks->capacity) {
        asks->capacity = asks->capacity ? asks->capacity * 2 : 4;
        asks->ask = tw_renew(struct tw_ask, asks->ask, asks->capacity);
    }
    asks->ask[asks->n++] = *ask;
}

static bool matters(const struct tw_ask *ask)
{
    return ask->to_ns - ask->from_ns >= TW_MATERIAL_WAIT;
}

/* An unanswered client waits until either side closes, or the capture ends. *end: the record up to
 * which earlier requests waited. */
static tcpwhy_ns gives_up(const struct tw_log *log, uint32_t asked, uint32_t *end)
{
    *end = MAX(*end, asked);
    while (*end + 1 < log->n && !(log->record[*end].flags & (TW_FIN | TW_RST)))
        ++*end;
    return log->record[*end].time_ns;
}

static bool read_exchange(const struct tw_log *log, const struct tw_exchange *e, uint32_t *end,
                          struct tw_ask *out)
{
    bool answered = e->response_first != TW_NO_RECORD;

    if (e->asker != TCPWHY_CLIENT || e->at_will || e->stands || e->one_way ||
        e->request_to <= e->request_from || e->request_first >= log->n ||
        (answered && (e->response_first >= log->n || e->response_first < e->request_first)))
        return false;
    out->from_ns = log->record[e->request_first].time_ns;
    out->first_ns =
        answered ? log->record[e->response_first].time_ns : gives_up(log, e->request_first, end);
    out->to_ns = out->first_ns;
    if (e->response_last < log->n && e->response_last > e->response_first)
        out->to_ns = log->record[e->response_last].time_ns;
    return true;
}

static void read_exchanges(const struct tw_log *log, const struct tw_exchanges *exchanges,
                           struct tw_asks *out)
{
    struct tw_ask run = { 0, 0, 0 }, ask;
    uint32_t end = 0;

    for (uint32_t i = 0; i < exchanges->n; i++) {
        if (!read_exchange(log, &exchanges->exchange[i], &end, &ask))
            continue;
        if (matters(&ask)) {
            add(out, &ask);
        } else if (ask.from_ns >= run.to_ns && ask.from_ns - run.to_ns <= NEXT_ASK_NS) {
            run.first_ns = run.to_ns = ask.to_ns;
        } else {
            if (matters(&run))
                add(out, &run);
            run = (struct tw_ask) { ask.from_ns, ask.to_ns, ask.to_ns };
        }
    }
    if (matters(&run))
        add(out, &run);
}

/* Nobody asks before the connection is open: that is waited for, too. */
static void read_setup(const struct tw_log *log, const struct tw_setup *setup, struct tw_asks *out)
{
    tcpwhy_ns end_ns = setup->answer_ns;
    struct tw_ask ask;

    if (setup->outcome == TW_SETUP_UNSEEN || log->n == 0)
        return;
    if (end_ns == TCPWHY_NS_UNKNOWN)
        end_ns = log->record[log->n - 1].time_ns;
    ask = (struct tw_ask) { setup->syn_ns, end_ns, end_ns };
    if (matters(&ask))
        add(out, &ask);
}

void tw_asks_read(const struct tw_log *log, const struct tw_exchanges *exchanges,
                  const struct tw_setup *setup, struct tw_asks *out)
{
    *out = (struct tw_asks) { NULL, 0, 0 };
    read_setup(log, setup, out);
    read_exchanges(log, exchanges, out);
}

void tw_asks_clear(struct tw_asks *asks)
{
    tw_free(asks->ask);
    *asks = (struct tw_asks) { NULL, 0, 0 };
}
