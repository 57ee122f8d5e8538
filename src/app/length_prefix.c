/* SPDX-License-Identifier: MIT */
#include "app/length_prefix.h"

#include "base/array.h"

/* A header of which the capture has too little ends the search for its length. */
static void lose(struct tw_length_prefix *prefix)
{
    prefix->lost = true;
    if (prefix->kept)
        tw_byte_array_set_size(prefix->kept, 0);
}

/*
 * Try to deliver the message that begins with these bytes. @param whole no more of its start is in
 * the capture. @return false if more bytes are needed.
 */
static bool deliver(struct tw_length_prefix *prefix, const struct tw_length_prefix_rules *rules,
                    void *user, struct tw_bytes first, bool whole)
{
    int64_t len = rules->length(user, first);

    if (len == 0) {
        lose(prefix);
        return true;
    }
    if (len == TW_LENGTH_PREFIX_MORE ||
        (!whole && (int64_t)first.len < MIN(len, (int64_t)rules->head)))
        return false;
    prefix->to = prefix->from + len;
    first = tw_bytes_first(first, (size_t)MIN(len, (int64_t)rules->head));
    rules->message(user, first, prefix->from, prefix->to);
    return true;
}

/* Complete the start of which earlier pieces had a part. @return the rest. */
static struct tw_bytes take_kept(struct tw_length_prefix *prefix,
                                 const struct tw_length_prefix_rules *rules, void *user,
                                 struct tw_bytes rest, int64_t to)
{
    const int64_t at = to - (int64_t)rest.len;
    struct tw_bytes more = tw_bytes_first(rest, rules->head - MIN(prefix->kept->len, rules->head));

    if (more.len > 0)
        tw_byte_array_append(prefix->kept, more.data, (guint)more.len);
    if (!deliver(prefix, rules, user, tw_bytes(prefix->kept->data, prefix->kept->len), false)) {
        if (prefix->kept->len >= rules->head)
            lose(prefix);
        return tw_bytes_from(rest, rest.len);
    }
    tw_byte_array_set_size(prefix->kept, 0);
    return tw_bytes_from(rest, (size_t)CLAMP(prefix->to - at, 0, (int64_t)rest.len));
}

static void keep(struct tw_length_prefix *prefix, const struct tw_length_prefix_rules *rules,
                 struct tw_bytes rest)
{
    if (!prefix->kept)
        prefix->kept = tw_byte_array_new();
    rest = tw_bytes_first(rest, rules->head);
    tw_byte_array_append(prefix->kept, rest.data, (guint)rest.len);
}

static bool has_kept(const struct tw_length_prefix *prefix)
{
    return prefix->kept && prefix->kept->len > 0;
}

static void take_gap(struct tw_length_prefix *prefix, const struct tw_length_prefix_rules *rules,
                     void *user, const struct tw_piece *gap)
{
    if (has_kept(prefix)) {
        struct tw_bytes first = tw_bytes(prefix->kept->data, prefix->kept->len);

        if (!deliver(prefix, rules, user, first, true))
            lose(prefix);
        tw_byte_array_set_size(prefix->kept, 0);
    }
    if (gap->to > prefix->to)
        prefix->lost = true;
}

bool tw_length_prefix_take(struct tw_length_prefix *prefix,
                           const struct tw_length_prefix_rules *rules, void *user,
                           const struct tw_piece *piece)
{
    struct tw_bytes rest = piece->bytes;
    bool was_lost = prefix->lost;

    if (piece->gap) {
        take_gap(prefix, rules, user, piece);
        return true;
    }
    prefix->lost = false;
    if (has_kept(prefix))
        rest = take_kept(prefix, rules, user, rest, piece->to);
    while (rest.len > 0 && !prefix->lost) {
        const int64_t at = piece->to - (int64_t)rest.len;

        if (at < prefix->to) {
            rest = tw_bytes_from(rest, (size_t)MIN(prefix->to - at, (int64_t)rest.len));
            continue;
        }
        prefix->from = at;
        if (!deliver(prefix, rules, user, rest, false)) {
            keep(prefix, rules, rest);
            break;
        }
    }
    return !prefix->lost || was_lost;
}

void tw_length_prefix_clear(struct tw_length_prefix *prefix)
{
    if (prefix->kept)
        tw_byte_array_unref(prefix->kept);
    prefix->kept = NULL;
}
