/* SPDX-License-Identifier: MIT */
#include "explain/sender/ack_index.h"

#include <glib.h>

/* Records searched linearly before an index is built. */
#define NEAR 128

/* Records per leaf, searched linearly. */
#define LEAF 32

static int64_t acknowledged(const struct tw_record *r, enum tcpwhy_side from)
{
    return r->from == from && (r->flags & TW_ACK) ? r->ack : INT64_MIN;
}

void tw_ack_index_build(const struct tw_log *log, enum tcpwhy_side from, struct tw_scratch *scratch,
                        struct tw_ack_index *out)
{
    uint32_t leaves = 1;

    while ((uint64_t)leaves * LEAF < log->n)
        leaves *= 2;
    out->from = from;
    out->leaves = leaves;
    out->highest = tw_scratch_get(scratch, 2 * (size_t)leaves, sizeof *out->highest);
    for (uint32_t i = 0; i < leaves; i++) {
        uint64_t first = (uint64_t)i * LEAF, end = MIN(first + LEAF, log->n);
        int64_t highest = INT64_MIN;

        for (uint64_t k = first; k < end; k++)
            highest = MAX(highest, acknowledged(&log->record[k], from));
        out->highest[leaves + i] = highest;
    }
    for (uint32_t i = leaves - 1; i > 0; i--)
        out->highest[i] = MAX(out->highest[2 * i], out->highest[2 * i + 1]);
}

/* The first leaf, from this one on, with an ACK of end; the number of leaves if there is none. */
static uint32_t find_leaf(const struct tw_ack_index *index, uint32_t leaf, int64_t end)
{
    uint32_t node = index->leaves + leaf;

    /* Up and to the right until a subtree holds it ... */
    while (index->highest[node] < end) {
        while (node & 1)
            node /= 2;
        if (node == 0)
            return index->leaves;
        node++;
    }
    /* ... and down to its first. */
    while (node < index->leaves) {
        node *= 2;
        node += index->highest[node] < end;
    }
    return node - index->leaves;
}

uint32_t tw_ack_index_find(const struct tw_ack_index *index, const struct tw_log *log,
                           uint32_t record, int64_t end)
{
    uint32_t i = record, leaf;

    for (; i < log->n && i % LEAF != 0; i++)
        if (acknowledged(&log->record[i], index->from) >= end)
            return i;
    if (i >= log->n)
        return log->n;
    leaf = find_leaf(index, i / LEAF, end);
    if (leaf == index->leaves)
        return log->n;
    i = leaf * LEAF;
    while (acknowledged(&log->record[i], index->from) < end)
        i++;
    return i;
}

uint32_t tw_ack_find_near(const struct tw_log *log, enum tcpwhy_side from, uint32_t record,
                          int64_t end)
{
    for (uint32_t i = record; i < log->n && i - record < NEAR; i++)
        if (acknowledged(&log->record[i], from) >= end)
            return i;
    return log->n;
}
