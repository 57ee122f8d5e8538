/* SPDX-License-Identifier: MIT */
#include "app/framing.h"

#include "base/array.h"

/* Where the capture has too little of a header, it ends the search for its length. */
static void lose(struct tw_framing *framing)
{
    framing->lost = true;
    if (framing->kept)
        tw_byte_array_set_size(framing->kept, 0);
}

/*
 * Try to deliver the message that begins with these bytes. @param whole no more of its start is in
 * the capture. @return false if more bytes are needed.
 */
static bool deliver(struct tw_framing *framing, const struct tw_framing_rules *rules, void *user,
                    struct tw_bytes first, bool whole)
{
    int64_t len = rules->length(user, first);

    if (len == 0) {
        lose(framing);
        return true;
    }
    if (len == TW_FRAMING_MORE || (!whole && (int64_t)first.len < MIN(len, (int64_t)rules->head)))
        return false;
    framing->to = framing->from + len;
    first = tw_bytes_first(first, (size_t)MIN(len, (int64_t)rules->head));
    rules->message(user, first, framing->from, framing->to);
    return true;
}

/* Complete the start of which earlier pieces had a part. @return the rest. */
static struct tw_bytes take_kept(struct tw_framing *framing, const struct tw_framing_rules *rules,
                                 void *user, struct tw_bytes rest, int64_t to)
{
    const int64_t at = to - (int64_t)rest.len;
    struct tw_bytes more = tw_bytes_first(rest, rules->head - MIN(framing->kept->len, rules->head));

    if (more.len > 0)
        tw_byte_array_append(framing->kept, more.data, (guint)more.len);
    if (!deliver(framing, rules, user, tw_bytes(framing->kept->data, framing->kept->len), false)) {
        if (framing->kept->len >= rules->head)
            lose(framing);
        return tw_bytes_from(rest, rest.len);
    }
    tw_byte_array_set_size(framing->kept, 0);
    return tw_bytes_from(rest, (size_t)CLAMP(framing->to - at, 0, (int64_t)rest.len));
}

static void keep(struct tw_framing *framing, const struct tw_framing_rules *rules,
                 struct tw_bytes rest)
{
    if (!framing->kept)
        framing->kept = tw_byte_array_new();
    rest = tw_bytes_first(rest, rules->head);
    tw_byte_array_append(framing->kept, rest.data, (guint)rest.len);
}

static bool has_kept(const struct tw_framing *framing)
{
    return framing->kept && framing->kept->len > 0;
}

static void take_gap(struct tw_framing *framing, const struct tw_framing_rules *rules, void *user,
                     const struct tw_piece *gap)
{
    if (has_kept(framing)) {
        struct tw_bytes first = tw_bytes(framing->kept->data, framing->kept->len);

        if (!deliver(framing, rules, user, first, true))
            lose(framing);
        tw_byte_array_set_size(framing->kept, 0);
    }
    if (gap->to > framing->to)
        framing->lost = true;
}

bool tw_framing_take(struct tw_framing *framing, const struct tw_framing_rules *rules, void *user,
                     const struct tw_piece *piece)
{
    struct tw_bytes rest = piece->bytes;
    bool was_lost = framing->lost;

    if (piece->gap) {
        take_gap(framing, rules, user, piece);
        return true;
    }
    framing->lost = false;
    if (has_kept(framing))
        rest = take_kept(framing, rules, user, rest, piece->to);
    while (rest.len > 0 && !framing->lost) {
        const int64_t at = piece->to - (int64_t)rest.len;

        if (at < framing->to) {
            rest = tw_bytes_from(rest, (size_t)MIN(framing->to - at, (int64_t)rest.len));
            continue;
        }
        framing->from = at;
        if (!deliver(framing, rules, user, rest, false)) {
            keep(framing, rules, rest);
            break;
        }
    }
    return !framing->lost || was_lost;
}

void tw_framing_clear(struct tw_framing *framing)
{
    if (framing->kept)
        tw_byte_array_unref(framing->kept);
    framing->kept = NULL;
}
