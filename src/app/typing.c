/* SPDX-License-Identifier: MIT */
#include "app/typing.h"

#include <glib.h>

/* Turns that show a habit (by judgement). */
#define TURNS 8

/* A program answers within this time, and less than a quarter of the silence before it; longer
 * echoes disturb who types (RFC 1122, 4.2.3.2, has 200 ms for the same reason). */
#define PROMPT_NS TCPWHY_MS(200)
#define QUARTER   4

/* People pause for seconds, now and then, and are not as regular as a timer (by judgement). */
#define PAUSE_NS TCPWHY_S(3)

/* A key, its escape sequence, and what a terminal makes of it. */
#define KEY_BYTES  4
#define ECHO_BYTES 8

struct habits {
    uint32_t turns, prompt, keys;
    tcpwhy_ns shortest_ns, longest_ns; /* silences of the server */
};

static tcpwhy_ns between(const struct tw_log *log, uint32_t from, uint32_t to)
{
    return log->record[to].time_ns - log->record[from].time_ns;
}

/* A word of the server behind a silence, and the client's next one. */
static void note(struct habits *h, const struct tw_log *log, const struct tw_exchange *e)
{
    const struct tw_exchange *next = e + 1;
    tcpwhy_ns silence_ns, reply_ns;

    if (e->request_last == TW_NO_RECORD || e->response_first == TW_NO_RECORD ||
        next->request_first == TW_NO_RECORD || e->response_first < e->request_last)
        return;
    silence_ns = between(log, e->request_last, e->response_first);
    reply_ns = between(log, e->response_last, next->request_first);
    h->turns++;
    h->prompt += reply_ns <= PROMPT_NS && QUARTER * reply_ns <= silence_ns;
    h->keys += e->response_to - e->response_from <= KEY_BYTES &&
               next->request_to - next->request_from <= ECHO_BYTES;
    h->shortest_ns = MIN(h->shortest_ns, silence_ns);
    h->longest_ns = MAX(h->longest_ns, silence_ns);
}

enum tw_typing tw_typing_find(const struct tw_log *log, const struct tw_exchanges *exchanges,
                              uint32_t first)
{
    struct habits h = { .shortest_ns = INT64_MAX };

    for (uint32_t i = first; i + 1 < exchanges->n; i++)
        note(&h, log, &exchanges->exchange[i]);
    if (h.turns < TURNS || QUARTER * (h.turns - h.prompt) > h.turns || h.longest_ns < PAUSE_NS ||
        h.shortest_ns > h.longest_ns / QUARTER)
        return TW_TYPING_NONE;
    return QUARTER * (h.turns - h.keys) <= h.turns ? TW_TYPING_SERVER : TW_TYPING_MAYBE;
}
