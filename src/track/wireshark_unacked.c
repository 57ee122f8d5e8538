/* SPDX-License-Identifier: MIT */
/*
 * The list of unacknowledged segments of one direction, as tshark 4.0 keeps it: bounded, with
 * every copy of a segment in it.
 */
#include "track/wireshark_state.h"

#include <glib.h>

#include "base/memory.h"
#include "base/seq.h"

void tw_ws_unacked_clear(struct tw_ws_unacked *list)
{
    tw_free(list->entry);
    *list = (struct tw_ws_unacked) { 0 };
}

static void widen(struct tw_ws_unacked *list, const struct tw_ws_unacked_entry *entry,
                  uint32_t base)
{
    list->low = MIN(list->low, entry->seq - base);
    list->high = MAX(list->high, entry->end - base);
}

void tw_ws_unacked_add(struct tw_ws_unacked *list, const struct tw_ws_unacked_entry *entry,
                       uint32_t base)
{
    if (list->n == TW_WS_UNACKED_MAX)
        return;
    if (list->n == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 8;
        list->entry = tw_renew(struct tw_ws_unacked_entry, list->entry, list->capacity);
    }
    list->entry[list->n++] = *entry;
    if (list->bounds_valid)
        widen(list, entry, base);
}

/* The effect of an ACK on one entry. */
enum effect { KEEP, TRIM, DROP };

static enum effect effect_of(const struct tw_ws_unacked_entry *entry, uint32_t ack)
{
    if (ack == entry->end)
        return DROP;
    if (tw_ws_after(ack, entry->seq) && !tw_seq_after(ack, entry->end))
        return TRIM;
    return tw_ws_after(entry->end, ack) ? KEEP : DROP;
}

bool tw_ws_unacked_acknowledge(struct tw_ws_unacked *list, uint32_t ack,
                               struct tw_ws_unacked_entry *match)
{
    /* The same ACK leaves again what it left. */
    uint32_t kept = ack == list->looked_ack ? list->looked : 0;
    bool found = false;

    for (uint32_t i = kept; i < list->n; i++) {
        struct tw_ws_unacked_entry *entry = &list->entry[i];
        enum effect effect = effect_of(entry, ack);

        if (effect == DROP && ack == entry->end && !found) {
            *match = *entry;
            found = true;
        }
        if (effect == TRIM)
            entry->seq = ack;
        if (effect != KEEP)
            list->bounds_valid = false;
        if (effect != DROP)
            list->entry[kept++] = *entry;
    }
    list->n = kept;
    list->looked_ack = ack;
    list->looked = kept;
    return found;
}

const struct tw_ws_unacked_entry *tw_ws_unacked_oldest(const struct tw_ws_unacked *list)
{
    return list->n > 0 ? &list->entry[0] : NULL;
}

uint32_t tw_ws_unacked_extent(struct tw_ws_unacked *list, uint32_t base)
{
    if (!list->bounds_valid) {
        list->low = UINT32_MAX;
        list->high = 0;
        for (uint32_t i = 0; i < list->n; i++)
            widen(list, &list->entry[i], base);
        list->bounds_valid = true;
    }
    return list->high - list->low;
}

bool tw_ws_unacked_full(const struct tw_ws_unacked *list)
{
    return list->n == TW_WS_UNACKED_MAX;
}
