/* SPDX-License-Identifier: MIT */
#include "explain/ack_index.h"

#include <glib.h>

void tw_ack_index_build(const struct tw_log *log, enum tcpwhy_side from, struct tw_scratch *scratch,
                        struct tw_ack_index *out)
{
    uint32_t leaves = 1;

    while (leaves < log->n)
        leaves *= 2;
    out->leaves = leaves;
    out->highest = tw_scratch_get(scratch, 2 * (size_t)leaves, sizeof *out->highest);
    for (uint32_t i = 0; i < leaves; i++) {
        bool acks = i < log->n && log->record[i].from == from && (log->record[i].flags & TW_ACK);

        out->highest[leaves + i] = acks ? log->record[i].ack : INT64_MIN;
    }
    for (uint32_t i = leaves - 1; i > 0; i--)
        out->highest[i] = MAX(out->highest[2 * i], out->highest[2 * i + 1]);
}

uint32_t tw_ack_index_find(const struct tw_ack_index *index, const struct tw_log *log,
                           uint32_t record, int64_t end)
{
    size_t node = (size_t)index->leaves + record;

    if (record >= log->n)
        return log->n;
    /* Up and to the right until a subtree holds it ... */
    while (index->highest[node] < end) {
        while (node & 1)
            node /= 2;
        if (node == 0)
            return log->n;
        node++;
    }
    /* ... and down to its first. */
    while (node < index->leaves) {
        node *= 2;
        node += index->highest[node] < end;
    }
    return (uint32_t)(node - index->leaves);
}
