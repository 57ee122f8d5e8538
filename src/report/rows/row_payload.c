/* SPDX-License-Identifier: MIT */
#include "report/rows/row_payload.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"

static size_t room_for(size_t n)
{
    size_t room = 1;

    while (room < n)
        room *= 2;
    return room;
}

/* ---- exchanges: views, perhaps room for more of them, texts in their order ------------------- */

/* A request's detail follows it; an empty one ends it. */
static size_t bytes_of_texts(const struct tcpwhy_exchange *e, size_t n)
{
    return n > 0 ? (size_t)(e[n - 1].detail + strlen(e[n - 1].detail) + 1 - e[0].request) : 0;
}

/* The exchanges that have room in the block, in which their texts stand behind them. */
static size_t room_of(const struct tcpwhy_exchange *e, size_t n)
{
    return n > 0 ? (size_t)(e[0].request - (const char *)e) / sizeof *e : 0;
}

/* Views and texts, each to where they belong. */
static void put(struct tcpwhy_exchange *to, char *text, const struct tcpwhy_exchange *e, size_t n)
{
    if (n == 0)
        return;
    memcpy(to, e, n * sizeof *e);
    memcpy(text, e[0].request, bytes_of_texts(e, n));
    for (size_t i = 0; i < n; i++) {
        to[i].request = text + (e[i].request - e[0].request);
        to[i].detail = text + (e[i].detail - e[0].request);
    }
}

/* Copy exchanges and their texts to a new block with this much room. */
static struct tcpwhy_exchange *move(const struct tcpwhy_exchange *e, size_t n, size_t room,
                                    size_t room_of_texts)
{
    struct tcpwhy_exchange *all = tw_malloc(room * sizeof *all + room_of_texts);

    put(all, (char *)(all + room), e, n);
    return all;
}

const struct tcpwhy_exchange *tw_exchanges_copy(const struct tcpwhy_exchange *e, size_t n)
{
    return e ? move(e, n, n, bytes_of_texts(e, n) + 1) : NULL;
}

size_t tw_exchanges_add(struct tw_stream_row *row, const struct tw_stream_row *more)
{
    const size_t n = row->n_exchanges, n_more = more->n_exchanges;
    struct tcpwhy_exchange *all = (gpointer)(uintptr_t)row->exchanges;
    size_t texts, added;

    if (!all || n_more == 0)
        return 0;
    texts = bytes_of_texts(all, n);
    added = bytes_of_texts(more->exchanges, n_more);
    /* Texts have the room that they had here if there is room for more of them. */
    if (n + n_more > room_of(all, n) || texts + added > room_for(texts)) {
        struct tcpwhy_exchange *old = all;

        row->exchanges = all = move(old, n, room_for(n + n_more), room_for(texts + added));
        tw_free(old);
    }
    put(all + n, (char *)(all + (n > 0 ? room_of(all, n) : room_for(n_more))) + texts,
        more->exchanges, n_more);
    row->n_exchanges = n + n_more;
    return n_more * sizeof *all + added;
}

/* ---- spans: room_for() of them, or none ------------------------------------------------------ */

struct tcpwhy_span *tw_spans_new(size_t n)
{
    return tw_new(struct tcpwhy_span, room_for(n));
}

const struct tcpwhy_span *tw_spans_copy(const struct tcpwhy_span *spans, size_t n)
{
    struct tcpwhy_span *copy;

    if (!spans)
        return NULL;
    copy = tw_spans_new(n);
    memcpy(copy, spans, n * sizeof *copy);
    return copy;
}

static bool goes_on(const struct tcpwhy_span *a, const struct tcpwhy_span *b)
{
    return a->to_ns == b->from_ns && a->cause == b->cause && a->party == b->party &&
           a->from == b->from && a->confidence == b->confidence && a->rival == b->rival;
}

size_t tw_spans_add(struct tw_stream_row *row, const struct tw_stream_row *more)
{
    const size_t before = row->spans ? row->n_spans : 0;
    size_t n = before, first = 0;
    struct tcpwhy_span *all = (gpointer)(uintptr_t)row->spans;

    if (!all || room_for(n + more->n_spans) > room_for(n))
        all = tw_renew(struct tcpwhy_span, all, room_for(n + more->n_spans));
    if (n > 0 && more->n_spans > 0 && goes_on(&all[n - 1], &more->spans[0])) {
        all[n - 1].to_ns = more->spans[0].to_ns;
        all[n - 1].last_frame = more->spans[0].last_frame;
        first = 1;
    }
    for (size_t i = first; i < more->n_spans; i++)
        all[n++] = more->spans[i];
    row->spans = all;
    row->n_spans = n;
    return (n - before) * sizeof *all;
}

/* ---- weighings: one block, as long as there are some ----------------------------------------- */

size_t tw_weighings_bytes(const struct tw_weighings *weighings)
{
    return offsetof(struct tw_weighings, weighing) + weighings->n * sizeof *weighings->weighing;
}

struct tw_weighings *tw_weighings_copy(const struct tw_weighings *weighings)
{
    return weighings ? tw_memdup2(weighings, tw_weighings_bytes(weighings)) : NULL;
}

size_t tw_weighings_add(struct tw_stream_row *row, const struct tw_stream_row *more)
{
    struct tw_weighings all;
    size_t before;

    if (!row->weighings || !more->weighings)
        return 0;
    before = tw_weighings_bytes(row->weighings);
    memcpy(&all, row->weighings, tw_weighings_bytes(row->weighings));
    for (uint32_t i = 0; i < more->weighings->n; i++)
        tw_weighings_place(&all, &more->weighings->weighing[i]);
    tw_free((gpointer)(uintptr_t)row->weighings);
    row->weighings = tw_weighings_copy(&all);
    return tw_weighings_bytes(&all) - before;
}
