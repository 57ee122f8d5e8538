/* SPDX-License-Identifier: MIT */
#include "report/facts/udp_number.h"

/* Numbers that may be lost in a row; further away is another meaning, or another sender. */
#define MOST_LOST 1000

/* Fewer say nothing. */
#define LEAST_SEEN 8

/* At least 9 in 10 steps are no leap. */
#define REGULAR_PART 10

#define WINDOW 64

static void go_on(struct tw_udp_track *t, uint32_t skipped)
{
    uint32_t shift = skipped + 1;

    t->window = shift < WINDOW ? t->window << shift | 1 : 1;
    t->in_order += skipped == 0;
    t->missing += skipped;
}

static void look_back(struct tw_udp_track *t, uint32_t behind)
{
    uint64_t bit = behind < WINDOW ? UINT64_C(1) << behind : 0;

    if (bit && t->window & bit) {
        t->duplicates++;
        return;
    }
    t->window |= bit;
    t->late++;
    t->missing -= t->missing > 0;
}

void tw_udp_track_take(struct tw_udp_track *t, uint32_t number, unsigned bits)
{
    uint32_t mask = bits == 16 ? 0xffff : 0xffffffff;
    uint32_t ahead = (number - t->next) & mask, behind = (t->next - 1 - number) & mask;

    if (t->seen++ == 0) {
        t->window = 1;
        t->next = (number + 1) & mask;
        return;
    }
    if (ahead <= MOST_LOST) {
        go_on(t, ahead);
        t->next = (number + 1) & mask;
    } else if (behind <= MOST_LOST) {
        look_back(t, behind);
    } else {
        t->wild++;
        t->window = 1;
        t->next = (number + 1) & mask;
    }
}

bool tw_udp_track_counts(const struct tw_udp_track *t)
{
    return t->seen >= LEAST_SEEN && t->wild * REGULAR_PART < t->seen &&
           t->duplicates * REGULAR_PART < t->seen && t->in_order * 2 > t->seen &&
           t->missing < t->seen;
}

bool tw_udp_track_is_own(const struct tw_udp_track *t)
{
    return tw_udp_track_counts(t) &&
           (t->seen - t->in_order) * REGULAR_PART <= t->seen + REGULAR_PART;
}
