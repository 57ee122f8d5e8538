/* SPDX-License-Identifier: MIT */
#include "app/dialogue.h"

#include <string.h>

/* No message of any protocol here is longer: 1 GiB (PostgreSQL's MaxAllocSize; the others allow
 * less). */
#define LONGEST ((int64_t)1 << 30)

struct work {
    struct tw_dialogue *dialogue;
    const struct tw_message_rules *rules;
    void *state;
    struct tw_transactions *transactions;
    struct tw_dialogue_way *way;
    const struct tw_piece *piece;
    bool asks;
};

static uint8_t *buffer_of(const struct work *w)
{
    return w->asks ? w->dialogue->asked : w->dialogue->answered;
}

static size_t room_of(const struct work *w)
{
    return w->asks ? TW_MESSAGE_ASKED : TW_MESSAGE_ANSWERED;
}

static void next_message(struct tw_dialogue_way *way)
{
    way->to = 0;
    way->len = 0;
    way->begun = false;
}

static void lose(struct tw_dialogue_way *way)
{
    next_message(way);
    way->lost = true;
}

/* Keep all of the piece, which does not complete the head. */
static bool keep(const struct work *w, struct tw_bytes rest)
{
    struct tw_dialogue_way *way = w->way;

    if (rest.len > room_of(w) - way->len)
        return false;
    memcpy(buffer_of(w) + way->len, rest.data, rest.len);
    way->len = (uint16_t)(way->len + rest.len);
    return true;
}

static void give(const struct work *w, struct tw_bytes head)
{
    struct tw_message message = { w->asks, w->way->from, w->way->to, head };

    w->way->begun = true;
    if (w->rules->begin)
        w->rules->begin(w->state, w->transactions, &message);
}

static void finish(const struct work *w)
{
    struct tw_message message = { w->asks, w->way->from, w->way->to, tw_bytes(NULL, 0) };

    next_message(w->way);
    w->way->unsure = false;
    if (w->rules->end)
        w->rules->end(w->state, w->transactions, &message);
}

/* A false way back after a gap is no proof against the protocol. @return where to go on. */
static int64_t reject(const struct work *w)
{
    if (w->way->unsure)
        lose(w->way);
    else
        tw_transactions_give_up(w->transactions, w->asks, w->way->from);
    return w->piece->to;
}

/* The message's bytes so far, of which the last ones may belong to the next one. */
static struct tw_bytes first_of(const struct work *w, struct tw_bytes rest)
{
    struct tw_bytes part;

    if (w->way->len == 0)
        return tw_bytes_first(rest, TW_MESSAGE_HEAD);
    part = tw_bytes_first(rest, room_of(w) - w->way->len);
    memcpy(buffer_of(w) + w->way->len, part.data, part.len);
    return tw_bytes(buffer_of(w), w->way->len + part.len);
}

/* At the start of a message, or within its head. @return where to go on. */
static int64_t take_head(const struct work *w, int64_t at, struct tw_bytes rest)
{
    struct tw_dialogue_way *way = w->way;
    struct tw_bytes first;
    int64_t length, want;

    if (way->len == 0)
        way->from = at;
    first = first_of(w, rest);
    length = w->rules->length(w->state, w->asks, first);
    if (length == TW_MESSAGE_MORE)
        return keep(w, rest) ? w->piece->to : reject(w);
    if (length != TW_MESSAGE_LINE && (length <= way->len || length > LONGEST))
        return reject(w);
    way->to = length == TW_MESSAGE_LINE ? INT64_MAX : way->from + length;
    want = length == TW_MESSAGE_LINE ? TW_MESSAGE_HEAD : MIN(length, TW_MESSAGE_HEAD);
    if ((int64_t)first.len < want && keep(w, rest))
        return w->piece->to;
    give(w, tw_bytes_first(first, (size_t)want));
    return at;
}

/* The end of a line. */
static bool find_end(struct tw_dialogue_way *way, int64_t at, struct tw_bytes rest)
{
    const uint8_t *lf = memchr(rest.data, '\n', rest.len);

    if (lf)
        way->to = at + (lf - rest.data) + 1;
    return lf != NULL;
}

/* Within a message whose head is given away. */
static int64_t take_body(const struct work *w, int64_t at, struct tw_bytes rest)
{
    struct tw_dialogue_way *way = w->way;
    int64_t to;

    if (way->to == INT64_MAX && !find_end(way, at, rest))
        return w->piece->to;
    to = way->to;
    if (to <= w->piece->to) {
        finish(w);
        return MAX(to, at);
    }
    tw_transactions_pass_over(w->transactions,
                              w->asks ? w->transactions->asker : !w->transactions->asker, to);
    return w->piece->to;
}

/* No more of the head will come than is known. */
static void take_gap(const struct work *w)
{
    struct tw_dialogue_way *way = w->way;

    if (way->to > 0 && !way->begun)
        give(w, tw_bytes(buffer_of(w), way->len));
    if (way->to == 0 || way->to == INT64_MAX || way->to < w->piece->to)
        lose(way);
    else if (way->to == w->piece->to)
        finish(w);
}

static bool finds_back(const struct work *w)
{
    if (!w->rules->resumes(w->state, w->asks, w->piece->bytes))
        return false;
    w->way->lost = false;
    w->way->unsure = true;
    if (w->rules->resume)
        w->rules->resume(w->state, w->transactions, w->asks, w->piece->from);
    return true;
}

void tw_dialogue_take(struct tw_dialogue *dialogue, const struct tw_message_rules *rules,
                      void *state, struct tw_transactions *transactions, bool asks,
                      const struct tw_piece *piece)
{
    struct work w = { dialogue, rules, state, transactions, &dialogue->way[!asks], piece, asks };
    int64_t at = piece->from;

    if (piece->gap) {
        take_gap(&w);
        return;
    }
    if (w.way->lost && !finds_back(&w))
        return;
    while (at < piece->to && !transactions->opaque && !transactions->switch_to && !w.way->lost) {
        struct tw_bytes rest = tw_bytes_from(piece->bytes, (size_t)(at - piece->from));

        at = w.way->begun ? take_body(&w, at, rest) : take_head(&w, at, rest);
    }
}
