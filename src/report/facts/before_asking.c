/* SPDX-License-Identifier: MIT */
#include "report/facts/before_asking.h"

#include <inttypes.h>

#include "base/ns.h"
#include "base/number.h"
#include "report/facts/add_fact.h"

/* Below 0.1 s nobody notices a wait (Miller, Response time in man-computer conversational
 * transactions, 1968). */
#define NOTICED_NS TCPWHY_MS(100)

/* Does the server speak first? Then its client has something to read, and perhaps to think about.
 */
static bool speaks_first(const struct tw_log *log, uint32_t request)
{
    for (uint32_t i = 0; i < log->n && i < request; i++)
        if (log->record[i].from == TCPWHY_SERVER && log->record[i].len > 0)
            return true;
    return false;
}

struct tw_before_asking tw_before_asking_read(const struct tw_connection_result *result)
{
    const struct tw_explanation *x = result->explanation;
    const struct tw_exchanges *all = result->exchanges;
    const struct tw_log *log = result->log;
    struct tw_before_asking b = { 0 };

    if (all->n == 0 || log->n == 0 || !result->connection->side[TCPWHY_CLIENT].syn ||
        result->connection->past.row != TW_NO_ROW ||
        speaks_first(log, all->exchange[0].request_first))
        return b;
    b.connections = 1;
    b.life_ns = log->record[log->n - 1].time_ns - log->record[0].time_ns;
    for (uint32_t i = 0; i < x->n_spans && x->span[i].last_record <= all->exchange[0].request_first;
         i++)
        if (x->span[i].cause == TCPWHY_CLIENT_IDLE)
            b.idle_ns += x->span[i].to_ns - x->span[i].from_ns;
    return b;
}

void tw_before_asking_add(struct tw_before_asking *sum, const struct tw_before_asking *more)
{
    sum->connections += more->connections;
    sum->idle_ns = tw_ns_add(sum->idle_ns, more->idle_ns);
    sum->life_ns = tw_ns_add(sum->life_ns, more->life_ns);
}

static void tell(struct tcpwhy_report *r, const struct tw_listener_row *l)
{
    const struct tw_before_asking *b = &l->before_asking;
    struct tcpwhy_fact fact = { .fact = "client_before_asking",
                                .confidence = TCPWHY_CERTAIN,
                                .endpoint = l->endpoint,
                                .count = b->connections,
                                .of = l->connections };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_string_append_printf(
        text, "%s of %s passed at the client between connecting and asking (%" PRIu32 " %s to %s).",
        tw_duration(b->idle_ns).text, tw_duration(b->life_ns).text, b->connections,
        b->connections == 1 ? "connection" : "connections", tw_endpoint(&l->endpoint).text);
    tw_add_fact(r, &fact, text);
}

void tw_before_asking_find(struct tcpwhy_report *r)
{
    int told = 0;

    for (guint i = 0; i < r->listeners->len && told < TW_FACTS_OF_A_KIND; i++) {
        const struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, i);

        if (l->before_asking.idle_ns < NOTICED_NS ||
            2 * l->before_asking.idle_ns <= l->before_asking.life_ns)
            continue;
        tell(r, l);
        told++;
    }
}
