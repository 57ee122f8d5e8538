/* SPDX-License-Identifier: MIT */
#include "explain/timeline/server_push.h"

#include <glib.h>
#include "explain/thresholds.h"

struct beat {
    tcpwhy_ns begun_ns, took_ns, since_ns; /* of the last answer, and since the one before */
    tcpwhy_ns least_ns;                    /* the shortest of those that prove it */
    uint32_t proofs, others;
};

static bool is_told_by_turns(const struct tw_exchange *e)
{
    return !e->framed && e->asker == TCPWHY_CLIENT && e->request_first != TW_NO_RECORD &&
           e->response_first != TW_NO_RECORD && e->response_first > e->request_last;
}

static tcpwhy_ns took(const struct tw_log *log, const struct tw_exchange *e)
{
    return log->record[e->response_first].time_ns - log->record[e->request_last].time_ns;
}

/* INT64_MAX: too few answers to show a beat. */
static tcpwhy_ns slow_ns(const struct tw_log *log, const struct tw_exchanges *exchanges)
{
    tcpwhy_ns sum_ns = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < exchanges->n; i++)
        if (is_told_by_turns(&exchanges->exchange[i])) {
            sum_ns += took(log, &exchanges->exchange[i]);
            n++;
        }
    return n > TW_MANY ? sum_ns / n / TW_QUARTER : INT64_MAX;
}

/* The next slow answer. */
static void hear(struct beat *b, tcpwhy_ns begun_ns, tcpwhy_ns took_ns)
{
    tcpwhy_ns since_ns = b->begun_ns ? begun_ns - b->begun_ns : 0;
    tcpwhy_ns longer_ns = ABS(took_ns - b->took_ns);

    if (b->since_ns > 0 && longer_ns > since_ns / TW_TELLING_SHARE) {
        if (TW_QUARTER * ABS(since_ns - b->since_ns) <= longer_ns) {
            b->proofs++;
            b->least_ns = MIN(b->least_ns, MIN(took_ns, b->took_ns));
        } else {
            b->others++;
        }
    }
    b->begun_ns = begun_ns;
    b->took_ns = took_ns;
    b->since_ns = since_ns;
}

static bool is_kept(const struct beat *b)
{
    return b->proofs >= TW_MANY && b->proofs >= TW_QUARTER * b->others;
}

struct tw_server_push tw_server_push_find(const struct tw_log *log,
                                          const struct tw_exchanges *exchanges)
{
    const struct tw_server_push none = { .least_ns = INT64_MAX };
    struct beat of_all = { .least_ns = INT64_MAX }, of_slow = of_all;
    tcpwhy_ns least_ns = slow_ns(log, exchanges);

    for (uint32_t i = 0; i < exchanges->n && least_ns < INT64_MAX; i++) {
        const struct tw_exchange *e = &exchanges->exchange[i];
        tcpwhy_ns begun_ns;

        if (!is_told_by_turns(e))
            continue;
        begun_ns = log->record[e->response_first].time_ns;
        hear(&of_all, begun_ns, took(log, e));
        if (took(log, e) >= least_ns)
            hear(&of_slow, begun_ns, took(log, e));
    }
    if (is_kept(&of_all))
        return (struct tw_server_push) { .least_ns = of_all.least_ns };
    return is_kept(&of_slow) ? (struct tw_server_push) { of_slow.least_ns, true } : none;
}
