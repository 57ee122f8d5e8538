/* SPDX-License-Identifier: MIT */
/* The layout of ss -tin: sockets as they are when the capture ends. */
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "render/as/as.h"
#include "report/figures/socket.h"
#include "report/flow/flow.h"

static bool is_known(const struct tw_interval *i)
{
    return i->hi != TW_UNBOUNDED && i->hi > 0;
}

static int64_t middle(const struct tw_interval *i)
{
    return i->lo + (i->hi - i->lo) / 2;
}

static void details(tw_string *to, const struct tw_socket *s)
{
    const struct tw_replay_state *st = &s->last;

    tw_string_append(to, "     ");
    if (is_known(&st->rto_ns))
        tw_string_append_printf(to, " rto:%s",
                                tw_as_real((double)middle(&st->rto_ns) / 1e6, 0).text);
    if (is_known(&st->srtt_ns)) {
        tw_string_append_printf(to, " rtt:%s/%s",
                                tw_as_real((double)middle(&st->srtt_ns) / 1e6, 3).text,
                                tw_as_real((double)middle(&st->rttvar_ns) / 1e6, 3).text);
    }
    if (st->mss_bytes > 0 && st->mss_bytes != TW_UNBOUNDED) {
        tw_string_append_printf(to, " mss:%" G_GINT64_FORMAT, st->mss_bytes);
        if (is_known(&st->cwnd_bytes))
            tw_string_append_printf(to, " cwnd:%" G_GINT64_FORMAT,
                                    middle(&st->cwnd_bytes) / st->mss_bytes);
        if (is_known(&st->ssthresh_bytes))
            tw_string_append_printf(to, " ssthresh:%" G_GINT64_FORMAT,
                                    middle(&st->ssthresh_bytes) / st->mss_bytes);
    }
    tw_string_append_printf(to, " bytes_sent:%" G_GUINT64_FORMAT, s->sent);
    if (s->resent)
        tw_string_append_printf(to, " bytes_retrans:%" G_GUINT64_FORMAT, s->resent);
    tw_string_append_printf(to,
                            " bytes_acked:%" G_GUINT64_FORMAT " bytes_received:%" G_GUINT64_FORMAT,
                            s->acked, s->received);
    if (s->queued && st->mss_bytes > 0)
        tw_string_append_printf(to, " unacked:%" G_GUINT64_FORMAT,
                                (s->queued + (uint64_t)st->mss_bytes - 1) /
                                    (uint64_t)st->mss_bytes);
    if (is_known(&st->rtt_min_ns))
        tw_string_append_printf(to, " minrtt:%s",
                                tw_as_real((double)st->rtt_min_ns.hi / 1e6, 3).text);
    tw_string_append_c(to, '\n');
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

static void figures(struct tw_json *json, const struct tw_socket *s)
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
    struct tw_socket s;
    bool client;

    if (!tw_socket_make(source->stream, source->log, end_ns, &s))
        return;
    client = s.local == TCPWHY_CLIENT;
    tw_string_append_printf(as->lines, "%-10s %6u %6" G_GUINT64_FORMAT " %22s %22s\n", s.state, 0u,
                            s.queued,
                            tw_endpoint(client ? &s.stream->client : &s.stream->server).text,
                            tw_endpoint(client ? &s.stream->server : &s.stream->client).text);
    if (s.stream->server_name)
        tw_string_append_printf(as->lines, "      name:%s\n", s.stream->server_name);
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

    tw_string_append(as->lines, "State      Recv-Q Send-Q     Local Address:Port      Peer "
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
    tw_free(source);
}
