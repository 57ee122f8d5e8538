/* SPDX-License-Identifier: MIT */
/*
 * Failures that only several connections show: a stray segment that killed one, a server that
 * restarted, a server that lives while one connection is silent.
 */
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "report/endpoints.h"
#include "report/failures/failure_entry.h"

#define entry_at(entries, i) (&tw_array_index((entries), struct tw_failure_entry, (i)))

/* A stray segment and the reset that it causes are a few round trips apart. */
#define STRAY_NS TCPWHY_S(1)

/* The neighbours that are looked at each way: the time for all stays in proportion to their number.
 */
#define MOST_NEIGHBOURS 256

static bool is_reset(const struct tw_failure *f)
{
    return f->kind == TCPWHY_FAILURE_TRANSFER_RESET || f->kind == TCPWHY_FAILURE_REQUEST_RESET ||
           f->kind == TCPWHY_FAILURE_PEER_SILENT;
}

/* The client asked once more, or waited so long, and its host resets the SYN/ACK that comes from
 * another address. */
static bool is_answered_elsewhere(const struct tw_failure_entry *e, const struct tw_stray *stray)
{
    const struct tw_failure *f = &e->failure;

    return f->kind == TCPWHY_FAILURE_CONNECT_TIMEOUT && stray->time_ns >= f->time_ns &&
           stray->time_ns <= f->time_ns + f->after_ns + STRAY_NS &&
           tw_endpoint_equal(&e->client, &stray->reset_by);
}

static void blame_stray(struct tw_failure_entry *e, const struct tw_stray *stray)
{
    struct tw_failure *f = &e->failure;
    tcpwhy_ns before_ns = f->time_ns - stray->time_ns;

    f->kind = TCPWHY_FAILURE_UNTRANSLATED_SEGMENT;
    f->who = TCPWHY_BY_BOX;
    f->confidence = TCPWHY_LIKELY;
    f->n_clues = MIN(f->n_clues, TW_FAILURE_CLUES - 1u);
    tw_failure_entry_clue(e, TW_CLUE_STRAY, stray->stream, (double)before_ns / 1e6);
    if (f->n_frames < TW_FAILURE_FRAMES)
        f->frames[f->n_frames++] = stray->frame;
}

void tw_failures_relate_strays(tw_array *entries, const tw_array *strays)
{
    for (guint i = 0; i < strays->len; i++) {
        const struct tw_stray *stray = &tw_array_index(strays, struct tw_stray, i);

        for (guint k = 0; k < entries->len; k++) {
            struct tw_failure_entry *e = entry_at(entries, k);
            tcpwhy_ns before_ns = e->failure.time_ns - stray->time_ns;

            if (e->stream != stray->stream && is_answered_elsewhere(e, stray)) {
                blame_stray(e, stray);
                continue;
            }
            if (e->stream != stray->stream && is_reset(&e->failure) && before_ns >= 0 &&
                before_ns <= STRAY_NS &&
                (tw_endpoint_equal(&e->client, &stray->reset_by) ||
                 tw_endpoint_equal(&e->server, &stray->reset_by)))
                blame_stray(e, stray);
        }
    }
}

/* ---- hairpins -------------------------------------------------------------------------------- */

/* A host that asks itself from another port sends its SYN from and to one address. */
static bool asks_itself(const struct tw_failure_entry *e)
{
    return e->failure.kind == TCPWHY_FAILURE_CONNECT_TIMEOUT &&
           memcmp(e->client.address, e->server.address, sizeof e->client.address) == 0;
}

/* The SYN to another address comes back translated, a moment after it left. */
static bool comes_back(const struct tw_failure_entry *e, const struct tw_failure_entry *back)
{
    tcpwhy_ns apart_ns = back->failure.time_ns - e->failure.time_ns;

    return e->failure.kind == TCPWHY_FAILURE_CONNECT_TIMEOUT && !asks_itself(e) && apart_ns >= 0 &&
           apart_ns <= STRAY_NS && tw_endpoint_equal(&e->client, &back->client);
}

/* @return whether a SYN was found that came back so. */
static bool tell_hairpin(tw_array *entries, guint at)
{
    const struct tw_failure_entry *back = entry_at(entries, at);

    for (guint i = at; i-- > 0 && at - i <= MOST_NEIGHBOURS;) {
        struct tw_failure_entry *e = entry_at(entries, i);

        if (!comes_back(e, back))
            continue;
        e->failure.who = TCPWHY_BY_BOX;
        tw_failure_entry_clue(e, TW_CLUE_HAIRPIN, back->stream, back->failure.frames[0]);
        return true;
    }
    return false;
}

/* A SYN that came back is no connection of its own. */
void tw_failures_relate_hairpins(tw_array *entries)
{
    guint kept = 0;

    for (guint i = 0; i < entries->len; i++) {
        if (asks_itself(entry_at(entries, i)) && tell_hairpin(entries, i))
            entry_at(entries, i)->failure.kind = TCPWHY_FAILURE_NONE;
    }
    for (guint i = 0; i < entries->len; i++)
        if (entry_at(entries, i)->failure.kind != TCPWHY_FAILURE_NONE)
            *entry_at(entries, kept++) = *entry_at(entries, i);
    tw_array_set_size(entries, kept);
}

/* ---- restarts -------------------------------------------------------------------------------- */

/* Connections broken by one event break within this time. */
#define TOGETHER_NS TCPWHY_S(1)

/* Processes are started again within that time. */
#define RESTART_NS TCPWHY_S(60)

/* Silences that differ by less are the same. */
#define LONGER_SHARE 1.1

static bool may_be_restart(const struct tw_failure *f)
{
    switch (f->kind) {
    case TCPWHY_FAILURE_REQUEST_RESET:
    case TCPWHY_FAILURE_TRANSFER_RESET:
    case TCPWHY_FAILURE_EMPTY_REPLY:
    case TCPWHY_FAILURE_ANSWER_CUT_SHORT:
    case TCPWHY_FAILURE_IDLE_FORGOTTEN:
        return f->who == TCPWHY_BY_SERVER;
    default:
        return false;
    }
}

/* Failures of that server near one in time; entries are in the order of their times. */
struct nearby {
    uint32_t broken;  /* requests and transfers, within TOGETHER_NS */
    uint32_t refused; /* connections, within RESTART_NS */
};

static void look_at(struct nearby *n, const struct tw_failure_entry *e,
                    const struct tw_failure_entry *other)
{
    tcpwhy_ns apart_ns = ABS(other->failure.time_ns - e->failure.time_ns);

    if (!tw_endpoint_equal(&e->server, &other->server))
        return;
    n->broken += apart_ns <= TOGETHER_NS && may_be_restart(&other->failure);
    n->refused += other->failure.kind == TCPWHY_FAILURE_CONNECT_REFUSED &&
                  other->failure.who == TCPWHY_BY_SERVER;
}

static struct nearby nearby(const tw_array *entries, guint i)
{
    const struct tw_failure_entry *e = entry_at(entries, i);
    struct nearby n = { 0, 0 };
    guint last = MIN(entries->len, i + MOST_NEIGHBOURS);

    for (guint k = i > MOST_NEIGHBOURS ? i - MOST_NEIGHBOURS : 0; k < last; k++)
        if (ABS(entry_at(entries, k)->failure.time_ns - e->failure.time_ns) <= RESTART_NS)
            look_at(&n, e, entry_at(entries, k));
    return n;
}

/* Did another request outlast a longer silence? Then no idle timeout ended this one. */
static bool silence_is_refuted(const struct tw_failure_entry *e,
                               const struct tw_listener_life *life)
{
    return e->failure.kind == TCPWHY_FAILURE_IDLE_FORGOTTEN && life &&
           (double)life->survived_ns >= LONGER_SHARE * (double)e->failure.after_ns;
}

static void relate_restart(struct tw_failure_entry *e, const struct nearby *n,
                           const struct tw_listener_life *life)
{
    struct tw_failure *f = &e->failure;
    bool refuted = silence_is_refuted(e, life);

    if (n->broken > 1)
        tw_failure_entry_clue(e, TW_CLUE_SEVERAL, n->broken, n->refused);
    if (refuted)
        tw_failure_entry_clue(e, TW_CLUE_SURVIVED, (double)life->survived_ns / 1e9, 0);
    if (n->refused > 0)
        tw_failure_entry_clue(e, TW_CLUE_REFUSED_NEARBY, n->refused, 0);
    if (n->refused == 0 && !refuted)
        return;
    f->kind = TCPWHY_FAILURE_SERVER_RESTARTED;
    f->confidence = TCPWHY_LIKELY;
}

void tw_failures_relate_restarts(tw_array *entries, tw_hash_table *lives)
{
    struct nearby *found = tw_new(struct nearby, entries->len);

    for (guint i = 0; i < entries->len; i++)
        found[i] = may_be_restart(&entry_at(entries, i)->failure) ? nearby(entries, i)
                                                                  : (struct nearby) { 0, 0 };
    for (guint i = 0; i < entries->len; i++) {
        struct tw_failure_entry *e = entry_at(entries, i);

        if (may_be_restart(&e->failure))
            relate_restart(e, &found[i], tw_hash_table_lookup(lives, &e->server));
    }
    tw_free(found);
}

static bool was_set_aside(const struct tw_failure *f)
{
    for (uint32_t i = 0; i < f->n_clues; i++)
        if (f->clue[i].kind == TW_CLUE_SET_ASIDE)
            return true;
    return false;
}

void tw_failures_relate_living(tw_array *entries, tw_hash_table *lives)
{
    for (guint i = 0; i < entries->len; i++) {
        struct tw_failure_entry *e = entry_at(entries, i);
        const struct tw_listener_life *life = tw_hash_table_lookup(lives, &e->server);

        /* a box that passes nothing but handshakes lets no later connection live; but it may go by
         * the name in a ClientHello */
        if (life && life->last_opened_ns > e->opened_ns && !e->failure.name &&
            was_set_aside(&e->failure))
            e->failure.who = TCPWHY_BY_SERVER;
        if (e->failure.seen_as == TCPWHY_SEEN_TIMEOUT && life &&
            e->failure.failed != TCPWHY_FAILED_CONNECT &&
            e->failure.kind != TCPWHY_FAILURE_CLIENT_GAVE_UP &&
            life->last_opened_ns > e->failure.time_ns)
            tw_failure_entry_clue(e, TW_CLUE_OTHERS_LIVE,
                                  (double)(life->last_opened_ns - e->failure.time_ns) / 1e9, 0);
    }
}
