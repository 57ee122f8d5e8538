/* SPDX-License-Identifier: MIT */
/* The layout of ss -tin: sockets as they are when the capture ends. */
#include <string.h>

#include "base/number.h"
#include "explain/model/replay.h"
#include "render/as/as.h"
#include "report/flow/flow.h"

/* A socket in TIME-WAIT is kept for so long (kernel: TCP_TIMEWAIT_LEN). */
#define TIME_WAIT_NS TCPWHY_S(60)

struct socket {
    const struct tw_stream_row *stream;
    const struct tw_log *log;
    enum tcpwhy_side local;
    const char *state;
    uint64_t sent, received, resent, acked, queued;
    struct tw_replay_state last;
    bool has_last;
};

static bool acknowledges(const struct tw_log *log, uint32_t after, enum tcpwhy_side by, int64_t end)
{
    for (uint32_t i = after; i < log->n; i++)
        if (log->record[i].from == by && log->record[i].flags & TW_ACK && log->record[i].ack >= end)
            return true;
    return false;
}

/* NULL: there is no socket any more. */
static const char *state_of(const struct socket *s, tcpwhy_ns end_ns)
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

static void replay(struct socket *s)
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

static bool is_known(const struct tw_interval *i)
{
    return i->hi != TW_UNBOUNDED && i->hi > 0;
}

static int64_t middle(const struct tw_interval *i)
{
    return i->lo + (i->hi - i->lo) / 2;
}

static void details(GString *to, const struct socket *s)
{
    const struct tw_replay_state *st = &s->last;
    char number[TW_AS_NUMBER];

    g_string_append(to, "     ");
    if (is_known(&st->rto_ns))
        g_string_append_printf(to, " rto:%s",
                               tw_as_real((double)middle(&st->rto_ns) / 1e6, 0, number));
    if (is_known(&st->srtt_ns)) {
        g_string_append_printf(to, " rtt:%s",
                               tw_as_real((double)middle(&st->srtt_ns) / 1e6, 3, number));
        g_string_append_printf(to, "/%s",
                               tw_as_real((double)middle(&st->rttvar_ns) / 1e6, 3, number));
    }
    if (st->mss_bytes > 0 && st->mss_bytes != TW_UNBOUNDED) {
        g_string_append_printf(to, " mss:%" G_GINT64_FORMAT, st->mss_bytes);
        if (is_known(&st->cwnd_bytes))
            g_string_append_printf(to, " cwnd:%" G_GINT64_FORMAT,
                                   middle(&st->cwnd_bytes) / st->mss_bytes);
        if (is_known(&st->ssthresh_bytes))
            g_string_append_printf(to, " ssthresh:%" G_GINT64_FORMAT,
                                   middle(&st->ssthresh_bytes) / st->mss_bytes);
    }
    g_string_append_printf(to, " bytes_sent:%" G_GUINT64_FORMAT, s->sent);
    if (s->resent)
        g_string_append_printf(to, " bytes_retrans:%" G_GUINT64_FORMAT, s->resent);
    g_string_append_printf(to, " bytes_acked:%" G_GUINT64_FORMAT, s->acked);
    g_string_append_printf(to, " bytes_received:%" G_GUINT64_FORMAT, s->received);
    if (s->queued && st->mss_bytes > 0)
        g_string_append_printf(to, " unacked:%" G_GUINT64_FORMAT,
                               (s->queued + (uint64_t)st->mss_bytes - 1) / (uint64_t)st->mss_bytes);
    if (is_known(&st->rtt_min_ns))
        g_string_append_printf(to, " minrtt:%s",
                               tw_as_real((double)st->rtt_min_ns.hi / 1e6, 3, number));
    g_string_append_c(to, '\n');
}

static void interval(struct tw_json *json, const char *key, const struct tw_interval *i)
{
    if (!is_known(i)) {
        tw_json_null(json, key);
        return;
    }
    tw_json_array(json, key);
    tw_json_int(json, NULL, i->lo);
    tw_json_int(json, NULL, i->hi);
    tw_json_end(json);
}

static void figures(struct tw_json *json, const struct socket *s)
{
    bool client = s->local == TCPWHY_CLIENT;

    tw_json_object(json, NULL);
    tw_json_uint(json, "stream", s->stream->stream);
    tw_json_string(json, "state", s->state);
    tw_json_endpoint(json, "local", client ? &s->stream->client : &s->stream->server);
    tw_json_endpoint(json, "peer", client ? &s->stream->server : &s->stream->client);
    tw_json_uint(json, "send_queue", s->queued);
    tw_json_uint(json, "bytes_sent", s->sent);
    tw_json_uint(json, "bytes_retrans", s->resent);
    tw_json_uint(json, "bytes_acked", s->acked);
    tw_json_uint(json, "bytes_received", s->received);
    tw_json_int(json, "mss", s->last.mss_bytes == TW_UNBOUNDED ? 0 : s->last.mss_bytes);
    interval(json, "cwnd_bytes", &s->last.cwnd_bytes);
    interval(json, "ssthresh_bytes", &s->last.ssthresh_bytes);
    interval(json, "srtt_ns", &s->last.srtt_ns);
    interval(json, "rto_ns", &s->last.rto_ns);
    tw_json_end(json);
}

static void print(struct tw_as *as, const struct tw_flow_source *source, tcpwhy_ns end_ns)
{
    struct socket s = { .stream = source->stream, .log = source->log };
    char local[TCPWHY_ENDPOINT_TEXT], peer[TCPWHY_ENDPOINT_TEXT];
    bool client;

    if (s.log->n == 0)
        return;
    s.local = local_side(s.stream);
    client = s.local == TCPWHY_CLIENT;
    s.state = state_of(&s, end_ns);
    if (!s.state)
        return;
    replay(&s);
    g_string_append_printf(
        as->lines, "%-10s %6u %6" G_GUINT64_FORMAT " %22s %22s\n", s.state, 0u, s.queued,
        tcpwhy_endpoint_format(client ? &s.stream->client : &s.stream->server, local),
        tcpwhy_endpoint_format(client ? &s.stream->server : &s.stream->client, peer));
    if (strcmp(s.state, "TIME-WAIT") != 0 && s.has_last)
        details(as->lines, &s);
    if (as->json)
        figures(as->json, &s);
}

void tw_as_ss(struct tw_as *as)
{
    const struct tw_capture_row *capture = tw_report_capture(as->request->report);
    tcpwhy_ns end_ns = capture->last_ns == TCPWHY_NS_UNKNOWN ? INT64_MAX / 2
                                                             : capture->last_ns - capture->first_ns;
    struct tw_flow_source *source;
    uint32_t n = tw_flow_sources(as->request->report, &source);

    g_string_append(as->lines, "State      Recv-Q Send-Q     Local Address:Port      Peer "
                               "Address:Port\n");
    if (as->json)
        tw_json_array(as->json, "sockets");
    for (uint32_t i = 0; i < n; i++)
        print(as, &source[i], end_ns);
    if (as->json)
        tw_json_end(as->json);
    tw_as_note(as, "Sockets as they are at the last frame, at the host where the capture was "
                   "taken. Send-Q is what was sent and not acknowledged; what a program wrote and "
                   "TCP holds back, and Recv-Q, are not on the wire.");
    tw_as_note(as, "cwnd, ssthresh, rtt and rto are those of a replay of the sender's TCP, in the "
                   "middle of what is possible.");
    g_free(source);
}
