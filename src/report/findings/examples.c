/* SPDX-License-Identifier: MIT */
/* Few are kept of many: a list without order, whose shortest gives way. */
#include "report/findings/examples.h"

#include "base/array.h"

static void add_frame(struct tcpwhy_wait *wait, const struct tw_log *log, uint32_t record)
{
    uint32_t frame;

    if (record >= log->n)
        return;
    frame = log->record[record].frame;
    if (wait->n_frames == 0 || wait->frames[wait->n_frames - 1] != frame)
        wait->frames[wait->n_frames++] = frame;
}

struct tcpwhy_wait tw_gap_of(uint32_t stream, const struct tw_log *log, const struct tw_span *span)
{
    struct tcpwhy_wait wait = { .stream = stream, .ns = span->to_ns - span->from_ns };

    add_frame(&wait, log, span->first_record);
    if (span->key_record > span->first_record && span->key_record < span->last_record)
        add_frame(&wait, log, span->key_record);
    add_frame(&wait, log, span->last_record);
    return wait;
}

static int longest_first(const void *a, const void *b)
{
    const struct tcpwhy_wait *x = a, *y = b;

    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    return (x->frames[0] > y->frames[0]) - (x->frames[0] < y->frames[0]);
}

void tw_examples_keep(tw_array **waits, const struct tcpwhy_wait *wait, uint32_t most)
{
    struct tcpwhy_wait *top;
    guint least = 0;

    if (most == 0)
        return;
    if (!*waits)
        *waits = tw_array_new(FALSE, FALSE, sizeof *wait);
    if ((*waits)->len < most) {
        tw_array_append_vals(*waits, wait, 1);
        return;
    }
    top = (struct tcpwhy_wait *)(void *)(*waits)->data;
    for (guint i = 1; i < (*waits)->len; i++)
        if (longest_first(&top[i], &top[least]) > 0)
            least = i;
    if (longest_first(wait, &top[least]) < 0)
        top[least] = *wait;
}

struct tcpwhy_wait *tw_examples_finish(tw_array **waits, const struct tcpwhy_wait *shown)
{
    tw_array *array = *waits;
    bool there = false;

    tw_array_sort(array, longest_first);
    for (guint i = 0; i < array->len; i++)
        there |= longest_first(&tw_array_index(array, struct tcpwhy_wait, i), shown) == 0;
    if (!there)
        tw_array_index(array, struct tcpwhy_wait, array->len - 1) = *shown;
    *waits = NULL;
    return (struct tcpwhy_wait *)(void *)tw_array_free(array, FALSE);
}
