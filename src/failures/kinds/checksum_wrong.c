/* SPDX-License-Identifier: MIT */
/*
 * Segments whose checksum no receiver accepts, and that were sent in vain.
 */
#include "failures/fates.h"
#include "failures/kind.h"

/* One may be the capture's own damage. */
#define LEAST_WRONG 2

/* With this many it is no coincidence that none was accepted. */
#define SURE_WRONG 4

struct counts {
    uint32_t n, lost, taken; /* with a wrong checksum; taken: and acknowledged */
    uint32_t right;          /* repeats with a right one that were accepted */
    uint32_t first;
    int64_t reached; /* where the last of them began */
    bool outer;
    uint8_t from;
};

static bool carries(const struct tw_record *r)
{
    return r->len > 0 || r->flags & TW_SYN;
}

static void count_one(struct counts *c, const struct tw_cut *cut, uint32_t i, bool wrong)
{
    enum tw_fate fate = tw_fate_of(cut, i);

    if (!wrong) {
        c->right += fate == TW_FATE_TAKEN && c->n > 0 && cut->log->record[i].seq <= c->reached;
        return;
    }
    if (c->n++ == 0)
        c->first = i;
    c->reached = cut->log->record[i].seq;
    c->lost += fate == TW_FATE_LOST;
    c->taken += fate == TW_FATE_TAKEN;
}

static struct counts count(const struct tw_cut *cut, enum tcpwhy_side side)
{
    const struct tw_log *log = cut->log;
    struct counts c = { .from = (uint8_t)side };
    uint32_t k = 0;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];
        bool wrong;

        while (k < log->n_sum && log->sum[k].frame < r->frame)
            k++;
        wrong = k < log->n_sum && log->sum[k].frame == r->frame;
        if (r->from != (uint8_t)side || !carries(r) ||
            r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
            continue;
        c.outer |= wrong && log->sum[k].outer;
        count_one(&c, cut, i, wrong);
    }
    return c;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    for (int side = 0; side < 2 && cut->log->n_sum > 0; side++) {
        struct counts c = count(cut, (enum tcpwhy_side)side);

        if (c.lost < LEAST_WRONG || c.taken > 0)
            continue;
        tw_failure_begin(out, TCPWHY_FAILURE_CHECKSUM_WRONG,
                         cut->log->record[c.first].flags & TW_SYN ? TCPWHY_FAILED_CONNECT
                                                                  : TCPWHY_FAILED_TRANSFER,
                         c.right > 0 ? TCPWHY_SEEN_DELAY : TCPWHY_SEEN_TIMEOUT);
        out->who = side == TCPWHY_CLIENT ? TCPWHY_BY_CLIENT : TCPWHY_BY_SERVER;
        out->confidence = c.lost >= SURE_WRONG && c.right > 0 ? TCPWHY_CERTAIN : TCPWHY_LIKELY;
        out->time_ns = cut->log->record[c.first].time_ns;
        out->after_ns = tw_fate_repairs_ns(cut, (enum tcpwhy_side)side);
        tw_failure_frame(out, cut, c.first);
        tw_failure_clue(out, c.outer ? TW_CLUE_OUTER_SUMS : TW_CLUE_WRONG_SUMS, c.n, c.lost);
        if (c.right > 0)
            tw_failure_clue(out, TW_CLUE_RIGHT_SUMS, c.right, 0);
        return true;
    }
    return false;
}

const struct tw_failure_detector tw_failure_checksum_wrong = {
    .kind = TCPWHY_FAILURE_CHECKSUM_WRONG,
    .find = find,
};
