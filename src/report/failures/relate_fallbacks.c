/* SPDX-License-Identifier: MIT */
/*
 * A client that asked by IPv6 in vain and went on by IPv4: two connections, one wait.
 */
#include "base/array.h"
#include "base/hash_table.h"
#include "report/facts/ip_fallback.h"
#include "report/failures/failure_entry.h"

/* The number of the entry of that stream; a new one where nothing failed there so far. */
static guint entry_of(tw_array *entries, tw_hash_table *by_stream, const struct tw_ip_fallback *f)
{
    const struct tw_failure_entry fresh = {
        .stream = f->stream,
        .client = f->client,
        .server = f->server,
        .failure = { .frames = { f->frame }, .n_frames = 1 },
    };
    gpointer i;

    if (tw_hash_table_lookup_extended(by_stream, GUINT_TO_POINTER(f->stream), NULL, &i))
        return GPOINTER_TO_UINT(i);
    tw_array_append_val(entries, fresh);
    return entries->len - 1;
}

/* The wait ends where the other connection begins. */
static void tell(struct tw_failure_entry *e, const struct tw_ip_fallback *fallback)
{
    struct tw_failure *f = &e->failure;
    tcpwhy_ns later_ns = fallback->began_ns - fallback->asked_ns;

    f->kind = TCPWHY_FAILURE_IPV6_UNANSWERED;
    f->failed = TCPWHY_FAILED_CONNECT;
    f->seen_as = TCPWHY_SEEN_DELAY;
    f->who = TCPWHY_BY_UNKNOWN;
    f->confidence = fallback->sure ? TCPWHY_LIKELY : TCPWHY_AMBIGUOUS;
    f->time_ns = fallback->asked_ns;
    f->after_ns = later_ns;
    if (f->n_frames < TW_FAILURE_FRAMES)
        f->frames[f->n_frames++] = fallback->instead_frame;
    f->n_clues = 0;
    tw_failure_entry_clue(e, TW_CLUE_SYNS, fallback->syns, 0);
    tw_failure_entry_clue(e, TW_CLUE_FALLBACK, fallback->instead, (double)later_ns / 1e6);
}

void tw_failures_relate_fallbacks(tw_array *entries, const tw_array *fallbacks)
{
    tw_hash_table *by_stream = tw_hash_table_new(NULL, NULL);

    for (guint i = 0; fallbacks->len > 0 && i < entries->len; i++)
        tw_hash_table_insert(
            by_stream, GUINT_TO_POINTER(tw_array_index(entries, struct tw_failure_entry, i).stream),
            GUINT_TO_POINTER(i));
    for (guint i = 0; i < fallbacks->len; i++) {
        const struct tw_ip_fallback *f = &tw_array_index(fallbacks, struct tw_ip_fallback, i);
        guint at = entry_of(entries, by_stream, f);

        tell(&tw_array_index(entries, struct tw_failure_entry, at), f);
    }
    tw_hash_table_destroy(by_stream);
}
