/* SPDX-License-Identifier: MIT */
#include "app/asked_again.h"

#include <glib.h>

#include "base/memory.h"

/* Programs wait for an answer that long at the least; TCP holds the rest of a request for less
 * (delayed ACKs; Linux' TCP_CORK). */
#define LEAST_WAIT_NS TCPWHY_MS(200)

/* So often, and of so many requests that were answered, it is no message of another kind that
 * happens to be as long. Measured: once, or with as many answers, a ping of Lustre, a frame of
 * HTTP/2 in TLS and Gearman's PRE_SLEEP pass for requests, of 1,931 captures; so, none. */
#define LEAST_LAPSED    3
#define ANSWERED_FACTOR 2

/* A client that speaks at a pace of its own is as silent behind an answer, less the time that this
 * took. */
#define PACE_FACTOR 2

/* One timer ends each of those waits: they differ by less than this part (by judgement; on a busy
 * host a timer of 1 s ended 27 waits after 1.20 to 1.33 s). */
#define SAME_TIMER 4

/* A part of a request, between two silences of its sender. */
struct part {
    int64_t from, to;
    uint32_t first, last; /* records */
    bool taken;           /* acknowledged before the next one, and nothing came for it */
};

/* What a connection without known messages shows. */
struct habits {
    uint32_t n_answered, n_lapsed;
    int64_t least_bytes, most_bytes;             /* of requests that were answered */
    tcpwhy_ns longest_turn_ns;                   /* from such a request to its answer or the next */
    tcpwhy_ns shortest_wait_ns, longest_wait_ns; /* behind the others */
    bool odd;                                    /* some are of another size, or not taken */
};

static tcpwhy_ns between(const struct tw_log *log, uint32_t from, uint32_t to)
{
    return log->record[to].time_ns - log->record[from].time_ns;
}

static bool has_pause(const struct tw_log *log, const struct tw_exchange *e)
{
    return e->request_first != TW_NO_RECORD && e->request_last > e->request_first &&
           between(log, e->request_first, e->request_last) >= LEAST_WAIT_NS;
}

/* The part of the request that begins with that record. */
static struct part part_from(const struct tw_log *log, const struct tw_exchange *e, uint32_t first)
{
    const struct tw_record *r = log->record;
    struct part p = { r[first].seq, tw_record_end(&r[first]), first, first, false };

    for (uint32_t i = first + 1; i <= e->request_last; i++) {
        if (r[i].from != (uint8_t)e->asker) {
            p.taken |= r[i].flags & TW_ACK && r[i].ack >= p.to;
            continue;
        }
        if (r[i].len == 0 || r[i].fresh == 0)
            continue;
        if (between(log, p.last, i) >= LEAST_WAIT_NS)
            break;
        p.last = i;
        p.to = MAX(p.to, tw_record_end(&r[i]));
        p.taken = false;
    }
    return p;
}

/* The first record behind a part with more of the request; TW_NO_RECORD: that was the last one. */
static uint32_t behind(const struct tw_log *log, const struct tw_exchange *e, const struct part *p)
{
    for (uint32_t i = p->last + 1; i <= e->request_last; i++)
        if (log->record[i].from == (uint8_t)e->asker && log->record[i].fresh > 0)
            return i;
    return TW_NO_RECORD;
}

static void note_answered(struct habits *h, const struct tw_log *log, const struct tw_exchange *e,
                          uint32_t asked, const struct tw_exchange *next)
{
    const uint32_t end =
        next && next->request_first != TW_NO_RECORD ? next->request_first : e->response_first;

    h->n_answered++;
    h->longest_turn_ns = MAX(h->longest_turn_ns, between(log, asked, end));
}

static void note_size(struct habits *h, int64_t bytes)
{
    h->least_bytes = MIN(h->least_bytes, bytes);
    h->most_bytes = MAX(h->most_bytes, bytes);
}

static bool is_plain(const struct tw_exchange *e)
{
    return !e->framed && !e->at_will && !e->stands && !e->of_session && !e->one_way &&
           !e->asker_unsure && e->request_first != TW_NO_RECORD;
}

static bool is_answered(const struct tw_exchange *e)
{
    return e->response_first != TW_NO_RECORD && e->response_first > e->request_last;
}

/* First the requests that came at once, then those with silences within. */
static void read_whole(struct habits *h, const struct tw_log *log, const struct tw_exchanges *all)
{
    const struct tw_exchange *e = all->exchange, *end = e + all->n;

    for (; e < end; e++) {
        if (!is_plain(e) || !is_answered(e) || has_pause(log, e))
            continue;
        note_answered(h, log, e, e->request_last, e + 1 < end ? e + 1 : NULL);
        note_size(h, e->request_to - e->request_from);
    }
}

static void read_parts(struct habits *h, const struct tw_log *log, const struct tw_exchange *e,
                       const struct tw_exchange *next)
{
    uint32_t at = e->request_first, more;

    for (;; at = more) {
        const struct part p = part_from(log, e, at);

        more = behind(log, e, &p);
        h->odd |= p.to - p.from < h->least_bytes || p.to - p.from > h->most_bytes;
        if (more == TW_NO_RECORD) {
            if (is_answered(e))
                note_answered(h, log, e, p.last, next);
            return;
        }
        h->odd |= !p.taken;
        h->n_lapsed++;
        h->shortest_wait_ns = MIN(h->shortest_wait_ns, between(log, p.last, more));
        h->longest_wait_ns = MAX(h->longest_wait_ns, between(log, p.last, more));
    }
}

/* As a rule a request is answered, and the client goes on far sooner than where no answer comes.
 * Then what it sends without one is no message of another kind. */
static bool waits_in_vain(const struct habits *h)
{
    return h->n_lapsed >= LEAST_LAPSED && !h->odd &&
           h->n_answered >= ANSWERED_FACTOR * h->n_lapsed &&
           h->shortest_wait_ns >= PACE_FACTOR * h->longest_turn_ns &&
           h->longest_wait_ns - h->shortest_wait_ns <= h->shortest_wait_ns / SAME_TIMER;
}

static struct habits habits_of(const struct tw_log *log, const struct tw_exchanges *all)
{
    struct habits h = { .least_bytes = INT64_MAX, .shortest_wait_ns = INT64_MAX };

    read_whole(&h, log, all);
    for (uint32_t i = 0; i < all->n; i++)
        if (is_plain(&all->exchange[i]) && has_pause(log, &all->exchange[i]))
            read_parts(&h, log, &all->exchange[i], i + 1 < all->n ? &all->exchange[i + 1] : NULL);
    return h;
}

/* Write the request as its parts, of which the last has the answer. @return how many. */
static uint32_t write_parts(const struct tw_log *log, const struct tw_exchange *e,
                            struct tw_exchange *out)
{
    uint32_t n = 0;

    for (uint32_t at = e->request_first; at != TW_NO_RECORD; n++) {
        const struct part p = part_from(log, e, at);

        at = behind(log, e, &p);
        out[n] = *e;
        out[n].request_from = p.from;
        out[n].request_to = p.to;
        out[n].request_first = p.first;
        out[n].request_last = p.last;
        if (n > 0)
            out[n].request = "";
        if (at == TW_NO_RECORD)
            continue;
        out[n].lapsed = true;
        out[n].complete = false;
        out[n].response_to = e->response_from;
        out[n].response_first = out[n].response_last = out[n].response_acked = TW_NO_RECORD;
        out[n].more = 0;
    }
    return n;
}

static void divide(const struct tw_log *log, struct tw_exchanges *all, uint32_t n_more)
{
    struct tw_exchange *divided = tw_new(struct tw_exchange, all->n + n_more);
    uint32_t n = 0;

    for (uint32_t i = 0; i < all->n; i++) {
        const struct tw_exchange *e = &all->exchange[i];

        if (is_plain(e) && has_pause(log, e))
            n += write_parts(log, e, &divided[n]);
        else
            divided[n++] = *e;
    }
    if (all->exchange != all->first)
        tw_free(all->exchange);
    all->exchange = divided;
    all->n = all->capacity = n;
}

/* Each request of such a protocol has an answer: its asker heard nothing behind it, though it was
 * taken, until it asked the next. */
static bool lapses(const struct tw_log *log, const struct tw_exchange *e,
                   const struct tw_exchange *next)
{
    const struct tw_record *r = log->record;
    bool taken = false;

    if (!next || e->response_first != TW_NO_RECORD || e->request_last == TW_NO_RECORD ||
        next->request_first == TW_NO_RECORD || next->request_first <= e->request_last ||
        between(log, e->request_last, next->request_first) < LEAST_WAIT_NS)
        return false;
    for (uint32_t i = e->request_last + 1; i < next->request_first; i++) {
        if (r[i].from == (uint8_t)e->asker)
            continue;
        taken |= r[i].flags & TW_ACK && r[i].ack >= e->request_to;
        if (r[i].len > 0 && r[i].fresh > 0)
            return false;
    }
    return taken && r[next->request_first].ack == r[e->request_last].ack;
}

static bool is_due(const struct tw_exchange *e)
{
    return e->framed && e->request[0] && !e->one_way && !e->stands && !e->at_will &&
           !e->of_session && !e->request_part && !tw_exchange_is_farewell(e);
}

/* Where answers come in turn, each is due behind the last one that came. */
static void expect_rest(struct tw_exchanges *all)
{
    struct tw_exchange *e = all->exchange;

    for (uint32_t i = all->n; i-- > 0 && e[i].response_first == TW_NO_RECORD;)
        e[i].lapsed |= is_due(&e[i]);
}

void tw_asked_again_find(const struct tw_log *log, struct tw_exchanges *all, bool in_turn)
{
    struct tw_exchange *e = all->exchange;
    bool pauses = false;
    struct habits h;

    if (in_turn)
        expect_rest(all);

    for (uint32_t i = 0; i < all->n; i++) {
        if (e[i].lapsed)
            e[i].lapsed = lapses(log, &e[i], i + 1 < all->n ? &e[i + 1] : NULL);
        pauses |= is_plain(&e[i]) && has_pause(log, &e[i]);
    }
    if (!pauses)
        return;
    h = habits_of(log, all);
    if (waits_in_vain(&h))
        divide(log, all, h.n_lapsed);
}
