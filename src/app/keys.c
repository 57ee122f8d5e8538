/* SPDX-License-Identifier: MIT */
#include "app/keys.h"

#include <glib.h>
#include <string.h>

/* A key and its escape sequence, in clear; in SSH a packet of few bytes of a channel, with padding
 * and MAC (RFC 4253, 6; RFC 4254, 5.2). An echo is as short, or a line. */
#define KEY_BYTES     4
#define SSH_KEY_BYTES 64
#define LINE_BYTES    80

/* Keys that show a person; most of the exchanges; how uneven the time between them is (by
 * judgement). */
#define TURNS   8
#define QUARTER 4
#define UNEVEN  2

struct keys {
    uint32_t n, exchanges;
    tcpwhy_ns last_ns, shortest_ns, longest_ns; /* from key to key */
};

static bool is_key(const struct tw_exchange *e)
{
    const int64_t most = strcmp(e->protocol, "ssh") == 0 ? SSH_KEY_BYTES : KEY_BYTES;

    return !e->framed && e->request_to > e->request_from &&
           e->request_to - e->request_from <= most &&
           e->response_to - e->response_from <= most + LINE_BYTES;
}

static void note(struct keys *k, tcpwhy_ns at_ns)
{
    const tcpwhy_ns apart_ns = at_ns - k->last_ns;

    if (k->n++ > 0) {
        k->shortest_ns = MIN(k->shortest_ns, apart_ns);
        k->longest_ns = MAX(k->longest_ns, apart_ns);
    }
    k->last_ns = at_ns;
}

/* Most exchanges are keys, and people are not as regular as a timer or a program. */
bool tw_keys_are_typed(const struct tw_log *log, const struct tw_exchanges *exchanges)
{
    struct keys k = { .shortest_ns = INT64_MAX };

    for (uint32_t i = 0; i < exchanges->n; i++) {
        const struct tw_exchange *e = &exchanges->exchange[i];

        if (e->request_first == TW_NO_RECORD || e->response_first == TW_NO_RECORD || e->of_session)
            continue;
        k.exchanges++;
        if (is_key(e))
            note(&k, log->record[e->request_first].time_ns);
    }
    return k.n > TURNS && QUARTER * (k.exchanges - k.n) <= k.exchanges &&
           k.longest_ns >= UNEVEN * k.shortest_ns;
}
