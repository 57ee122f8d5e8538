/* SPDX-License-Identifier: MIT */
#include "report/figures/socket.h"

#include <glib.h>

/* Lifetime of a socket in TIME-WAIT (kernel: TCP_TIMEWAIT_LEN). */
#define TIME_WAIT_NS TCPWHY_S(60)

static bool acknowledges(const struct tw_log *log, uint32_t after, enum tcpwhy_side by, int64_t end)
{
    for (uint32_t i = after; i < log->n; i++)
        if (log->record[i].from == by && log->record[i].flags & TW_ACK && log->record[i].ack >= end)
            return true;
    return false;
}

/* NULL: there is no socket any more. */
static const char *state_of(const struct tw_socket *s, tcpwhy_ns end_ns)
{
    int64_t fin[2] = { -1, -1 };
    bool first_local = false, answered = false, open = false;
    uint32_t at[2] = { 0, 0 };

    for (uint32_t i = 0; i < s->log->n; i++) {
        const struct tw_record *r = &s->log->record[i];

        if (r->flags & TW_RST)
            return NULL;
        answered |= tw_record_is(r, TW_SYN | TW_ACK);
        open |= !(r->flags & TW_SYN);
        if (r->flags & TW_FIN && fin[r->from] < 0) {
            first_local |= r->from == s->local && fin[!r->from] < 0;
            fin[r->from] = tw_record_end(r);
            at[r->from] = i;
        }
    }
    if (!open)
        return answered ? "SYN-RECV" : s->local == TCPWHY_CLIENT ? "SYN-SENT" : NULL;
    if (fin[0] < 0 && fin[1] < 0)
        return "ESTAB";
    if (fin[s->local] < 0)
        return "CLOSE-WAIT";
    if (fin[!s->local] < 0)
        return acknowledges(s->log, at[s->local], (enum tcpwhy_side) !s->local, fin[s->local])
                   ? "FIN-WAIT-2"
                   : "FIN-WAIT-1";
    if (!acknowledges(s->log, at[s->local], (enum tcpwhy_side) !s->local, fin[s->local]))
        return first_local ? "CLOSING" : "LAST-ACK";
    return first_local && s->log->record[s->log->n - 1].time_ns + TIME_WAIT_NS > end_ns
               ? "TIME-WAIT"
               : NULL;
}

/* The host where the capture was taken has the sockets; in between that of the client. */
static enum tcpwhy_side local_side(const struct tw_stream_row *s)
{
    return s->vantage == TCPWHY_VANTAGE_SERVER ? TCPWHY_SERVER : TCPWHY_CLIENT;
}

static void replay(struct tw_socket *s)
{
    struct tw_scratch scratch = { 0 };
    const struct tw_replay_scene scene = {
        .log = s->log, .from = s->local, .way_ns = s->stream->way_ns[s->local], .scratch = &scratch
    };
    struct tw_replay replay;
    const struct tw_replay_state *st;

    tw_replay_begin(&replay, &scene);
    while ((st = tw_replay_next(&replay))) {
        s->last = *st;
        s->has_last = true;
        if (st->sent && st->record->len > 0) {
            s->sent += st->record->len;
            s->resent += st->resent ? st->record->len : 0;
        }
    }
    tw_scratch_clear(&scratch);
    if (s->has_last) {
        s->queued = (uint64_t)MAX(s->last.next - s->last.una, 0);
        s->acked = (uint64_t)MAX(s->last.una - 1, 0);
    }
    s->received =
        s->local == TCPWHY_CLIENT ? s->stream->bytes_to_client : s->stream->bytes_to_server;
}

bool tw_socket_make(const struct tw_stream_row *stream, const struct tw_log *log, tcpwhy_ns end_ns,
                    struct tw_socket *s)
{
    *s = (struct tw_socket) { .stream = stream, .log = log };
    if (log->n == 0)
        return false;
    s->local = local_side(stream);
    s->state = state_of(s, end_ns);
    if (s->state)
        replay(s);
    return s->state != NULL;
}
