/* SPDX-License-Identifier: MIT */
#include "app/polling.h"

#include <string.h>

#include <glib.h>

/* Nothing in HTTP says that a request is to wait, and a server may take its time for each answer,
 * too. What it works for does not end after the same whole number of these, time and again, and
 * with nothing: its configuration says that one does (by judgement; in use are 5, 10, 20, 25, 30,
 * 45, 55, 60, 90 s and more). Who answers something after 5 s may have waited for a name server. */
#define STEP_NS TCPWHY_S(5)
#define POLLS   3

/* Tolerance of timers, plus jitter of the path. */
#define LATE_SHARE 100

/* A repeated request within this time of a response is immediate (by judgement: a page may have
 * to show the news first). */
#define AGAIN_NS TCPWHY_S(1)

static tcpwhy_ns time_of(const struct tw_log *log, uint32_t record)
{
    return log->record[record].time_ns;
}

static bool is_answered(const struct tw_exchange *e)
{
    return e->request_last != TW_NO_RECORD && e->response_first != TW_NO_RECORD &&
           e->response_first > e->request_last;
}

static tcpwhy_ns waited(const struct tw_log *log, const struct tw_exchange *e)
{
    return is_answered(e) ? time_of(log, e->response_first) - time_of(log, e->request_last) : 0;
}

/* The same request apart from its query, which often has a counter. */
static bool is_same_request(const char *a, const char *b)
{
    size_t len = strcspn(a, "?");

    return len > 0 && strcspn(b, "?") == len && memcmp(a, b, len) == 0;
}

static bool asks_again(const struct tw_log *log, const struct tw_exchange *e)
{
    const struct tw_exchange *before = e - 1;

    return is_answered(before) && before->framed && e->framed && e->asker == before->asker &&
           e->request_first != TW_NO_RECORD && e->request_first > before->response_last &&
           time_of(log, e->request_first) - time_of(log, before->response_last) <= AGAIN_NS &&
           is_same_request(before->request, e->request);
}

/* No news (RFC 9110, 15.3.5 and 15.4.5). */
static bool is_empty(const struct tw_exchange *e)
{
    return e->status == 204 || e->status == 304;
}

/* Did the longest of them end by a timer, without news? */
static bool go_by_timer(const struct tw_log *log, const struct tw_exchange *e, uint32_t n)
{
    tcpwhy_ns longest_ns = 0, late_ns;
    uint32_t longest = 0, empty = 0;

    for (uint32_t i = 0; i < n; i++)
        longest_ns = MAX(longest_ns, waited(log, &e[i]));
    late_ns = longest_ns / LATE_SHARE;
    for (uint32_t i = 0; i < n; i++) {
        bool full = waited(log, &e[i]) >= longest_ns - late_ns;

        longest += full;
        empty += full && is_empty(&e[i]);
    }
    return empty == longest && longest >= POLLS && longest_ns >= STEP_NS &&
           longest_ns % STEP_NS <= late_ns;
}

void tw_polling_find(const struct tw_log *log, struct tw_exchanges *all)
{
    struct tw_exchange *e = all->exchange;

    if (log->n == 0 || time_of(log, log->n - 1) - time_of(log, 0) < POLLS * STEP_NS)
        return;
    for (uint32_t first = 0, end; first < all->n; first = end) {
        end = first + 1;
        while (end < all->n && asks_again(log, &e[end]))
            end++;
        if (end - first < POLLS || !go_by_timer(log, &e[first], end - first))
            continue;
        for (uint32_t i = first; i < end; i++)
            e[i].at_will = e[i].stands = true;
    }
}
