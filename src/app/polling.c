/* SPDX-License-Identifier: MIT */
#include "app/polling.h"

#include <string.h>

#include <glib.h>

/* Nothing in HTTP marks a request that is meant to wait, and a server may also take its time for
 * each answer. But work does not end after the same whole number of these again and again, with
 * nothing to say, and never after any other time to the millisecond: a configuration does
 * (judgement; in use are 5, 10, 20, 25, 30, 45, 55, 60, 90 s and more). A server that answers
 * something after 5 s may have waited for a name server. */
#define STEP_NS TCPWHY_S(5)
#define POLLS   3

/* Tolerance of timers, plus jitter of the path. */
#define LATE_SHARE 100

/* Work that is done again and again varies by more than this (by judgement); a timer's tick and the
 * path add the other. */
#define STEADY_SHARE 1000
#define STEADY_NS    TCPWHY_MS(10)

/* A proxy gives up sooner than in a day, and so does who waits (by judgement). */
#define LONGEST_MS 86400000

/* Answers that say nothing new differ by no more than a counter or a date (by judgement). */
#define ALIKE_BYTES 16

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

/* Or all answers that took as long have the same size. Errors are a proxy's own timers. */
static bool may_be_empty(const struct tw_exchange *e, int64_t bytes)
{
    return e->status < 300 && ABS(e->response_to - e->response_from - bytes) <= ALIKE_BYTES;
}

/* The longest of a run of them. */
struct longest {
    tcpwhy_ns ns;
    int64_t bytes;                  /* of its answer */
    uint32_t n, empty;              /* as long, as timers go; of these, without news */
    uint32_t steady, steady_silent; /* as long, as work does not; of these, without news */
};

static struct longest longest_of(const struct tw_log *log, const struct tw_exchange *e, uint32_t n)
{
    struct longest l = { 0 };

    for (uint32_t i = 0; i < n; i++)
        if (waited(log, &e[i]) > l.ns) {
            l.ns = waited(log, &e[i]);
            l.bytes = e[i].response_to - e[i].response_from;
        }
    for (uint32_t i = 0; i < n; i++) {
        const tcpwhy_ns less_ns = l.ns - waited(log, &e[i]);
        const bool full = less_ns <= l.ns / LATE_SHARE,
                   steady = less_ns <= l.ns / STEADY_SHARE + STEADY_NS;

        l.n += full;
        l.empty += full && is_empty(&e[i]);
        l.steady += steady;
        l.steady_silent += steady && (is_empty(&e[i]) || may_be_empty(&e[i], l.bytes));
    }
    return l;
}

/* Does a parameter's name say that its value is for how long to wait? "sleep" and "delay" ask a
 * program to be slow, and their client waits. */
static bool names_a_wait(const char *name, const char *end)
{
    static const char *const words[] = { "wait", "timeout", "poll" };

    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        for (const char *at = name; at + strlen(words[i]) <= end; at++)
            if (!g_ascii_strncasecmp(at, words[i], strlen(words[i])))
                return true;
    return false;
}

/* A parameter of the query names the time that passed, in milliseconds or seconds: the client asked
 * the server to wait so long, if nothing happens (RFC 6202, 5.5). */
static bool asked_to_wait(const char *request, tcpwhy_ns waited_ns)
{
    const char *name = strchr(request, '?');

    for (const char *at; name && (at = strchr(name, '=')); name = strchr(at, '&')) {
        char *end;
        const guint64 n = g_ascii_strtoull(at + 1, &end, 10);

        if (!names_a_wait(name, at) || end == at + 1 || (*end && *end != '&') || n > LONGEST_MS)
            continue;
        for (int i = 0; i < 2; i++) {
            const tcpwhy_ns asked_ns = i == 0 ? TCPWHY_MS((tcpwhy_ns)n) : TCPWHY_S((tcpwhy_ns)n);

            if (ABS(waited_ns - asked_ns) <= asked_ns / LATE_SHARE)
                return true;
        }
    }
    return false;
}

/* Did the longest of them end by a timer, without news? A round time needs less proof. */
static bool go_by_timer(const struct tw_log *log, const struct tw_exchange *e, uint32_t n)
{
    const struct longest l = longest_of(log, e, n);

    if (l.ns < STEP_NS || l.n < POLLS)
        return false;
    return (l.empty == l.n && l.ns % STEP_NS <= l.ns / LATE_SHARE) ||
           (l.steady == l.n && l.steady_silent == l.n);
}

void tw_polling_find(const struct tw_log *log, struct tw_exchanges *all)
{
    struct tw_exchange *e = all->exchange;

    if (log->n == 0 || time_of(log, log->n - 1) - time_of(log, 0) < STEP_NS)
        return;
    for (uint32_t i = 0; i < all->n; i++)
        if (e[i].framed && g_str_has_prefix(e[i].protocol, "http") &&
            waited(log, &e[i]) >= STEP_NS && asked_to_wait(e[i].request, waited(log, &e[i])))
            e[i].at_will = e[i].stands = true;
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
