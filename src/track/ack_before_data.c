/* SPDX-License-Identifier: MIT */
#include "track/ack_before_data.h"

#include <glib.h>

#include "base/seq.h"
#include "track/steps.h"

/* A probe of a closed window carries at most one byte (RFC 9293, 3.8.6.1). */
#define PROBE 1

/* Does it answer a SYN other than the one seen? A server's first segment shows it, be it a SYN/ACK
 * or a RST (RFC 9293, 3.10.7.1): what it acknowledges is the SYN. */
static bool answers_unseen_syn(const struct tw_side *peer, const struct tw_segment *s)
{
    if (!(s->flags & (TW_SYN | TW_RST)) || (s->flags & TW_RST && s->seq != 0))
        return false;
    return !peer->syn ? !peer->started : s->ack - 1 - peer->isn > (uint32_t)peer->next;
}

/* The offset after the data that it reports as received, by ACK and SACK. */
static int64_t reaches(const struct tw_side *peer, const struct tw_segment *s)
{
    int32_t most = tw_seq_diff(s->ack, peer->next_seq);

    for (int i = 0; i < s->n_sack; i++)
        most = MAX(most, tw_seq_diff(s->sack[i][1], peer->next_seq));
    return most > TW_MAX_JUMP ? peer->next : peer->next + most;
}

/* The end of the last hole that it acknowledges; 0: none. */
static int64_t end_of_hole(const struct tw_side *peer, const struct tw_segment *s)
{
    int64_t ack = tw_seq_unwrap(s->ack, peer->next_seq, peer->next);

    int64_t end = 0;

    for (uint32_t i = tw_ranges_find(&peer->holes, peer->acked + 1);
         i < peer->holes.n && peer->holes.range[i].from < ack; i++)
        end = MIN(peer->holes.range[i].to, ack);
    return end;
}

bool tw_is_beyond_window(const struct tw_connection *c, enum tcpwhy_side from,
                         const struct tw_segment *s)
{
    const struct tw_side *own = &c->side[from], *peer = &c->side[!from];
    int64_t end = tw_seq_unwrap(s->seq, own->next_seq, own->next) + s->len;

    return s->len > PROBE && end > own->next && own->isn_known && peer->window_bytes >= 0 &&
           end > own->acked + peer->window_bytes;
}

bool tw_opens_window(const struct tw_connection *c, enum tcpwhy_side from,
                     const struct tw_segment *opens, const struct tw_segment *beyond)
{
    int64_t window = tw_scaled_window(&c->side[from], opens->window);

    return (opens->flags & (TW_SYN | TW_RST | TW_ACK)) == TW_ACK && window > 0 &&
           tw_seq_diff(opens->ack, beyond->seq + beyond->len) + window >= 0;
}

bool tw_is_early(const struct tw_connection *c, enum tcpwhy_side from, const struct tw_segment *s,
                 uint32_t *lacks)
{
    const struct tw_side *own = &c->side[from], *peer = &c->side[!from];
    int64_t end;

    if (!tw_may_be_early(peer, s))
        return false;
    if (answers_unseen_syn(peer, s) || (own->syn && !peer->isn_known)) {
        *lacks = s->ack - 1;
        return true;
    }
    if (!peer->started || !peer->isn_known)
        return false;
    end = reaches(peer, s);
    if (end <= peer->next)
        end = end_of_hole(peer, s);
    *lacks = peer->next_seq + (uint32_t)(end - peer->next) - 1;
    return end > 0;
}
