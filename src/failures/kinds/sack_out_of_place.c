/* SPDX-License-Identifier: MIT */
/*
 * SACK blocks that lie far outside of what the other side sent: a middlebox rewrites sequence
 * numbers, and not those of SACK.
 */
#include "failures/kind.h"

#include <glib.h>

/* Initial sequence numbers usually differ by more; no window reaches that far. */
#define FAR_BYTES (INT64_C(1) << 26)

/* One or two damaged blocks are no sign of a middlebox. */
#define LEAST_BLOCKS 3
#define LEAST_SHARE  0.9

struct blocks {
    uint32_t n, outside;
    uint32_t first; /* record */
};

static bool is_outside(const struct tw_range *block, int64_t sent)
{
    return block->from <= -FAR_BYTES || block->to >= sent + FAR_BYTES;
}

/* Is any block outside, of either side? Usually none is, and their side need not be found. */
static bool are_some_outside(const struct tw_cut *cut)
{
    const int64_t sent = MIN(cut->sent[TCPWHY_CLIENT], cut->sent[TCPWHY_SERVER]);

    for (uint32_t k = 0; k < cut->log->n_sack; k++)
        if (is_outside(&cut->log->sack[k], sent))
            return true;
    return false;
}

static struct blocks count(const struct tw_cut *cut, enum tcpwhy_side side)
{
    struct blocks b = { 0, 0, TW_NO_RECORD };

    for (uint32_t i = 0; i < cut->log->n; i++) {
        const struct tw_record *r = &cut->log->record[i];

        if (r->from != (uint8_t)side)
            continue;
        for (uint32_t k = 0; k < r->n_sack; k++) {
            const struct tw_range *block = &cut->log->sack[r->sack + k];

            b.n++;
            if (!is_outside(block, cut->sent[!side]))
                continue;
            if (b.outside++ == 0)
                b.first = i;
        }
    }
    return b;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    if (!are_some_outside(cut))
        return false;
    for (int side = 0; side < 2; side++) {
        struct blocks b = count(cut, (enum tcpwhy_side)side);

        if (b.outside < LEAST_BLOCKS || b.outside < LEAST_SHARE * b.n)
            continue;
        tw_failure_begin(out, TCPWHY_FAILURE_SACK_OUT_OF_PLACE, TCPWHY_FAILED_TRANSFER,
                         TCPWHY_SEEN_DELAY);
        out->who = TCPWHY_BY_BOX;
        out->time_ns = cut->log->record[b.first].time_ns;
        tw_failure_frame(out, cut, b.first);
        tw_failure_clue(out, TW_CLUE_SACK, b.outside, b.n);
        return true;
    }
    return false;
}

const struct tw_failure_detector tw_failure_sack_out_of_place = {
    .kind = TCPWHY_FAILURE_SACK_OUT_OF_PLACE,
    .find = find,
};
