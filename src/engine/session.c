/* SPDX-License-Identifier: MIT */
/* Public functions of an analysis that is fed packet by packet. */
#include <glib.h>

#include "app/tls_keys.h"
#include "base/errors.h"
#include "base/memory.h"
#include "base/options.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "engine/parsed.h"

struct tcpwhy_session {
    struct tw_engine *engine;
    struct tcpwhy_callbacks callbacks;
    struct tw_tls_keys *keys;
    uint32_t frames;
    bool busy; /* inside a call that may call back */
};

/* @return false with *why filled. */
static bool start(tcpwhy_session *session, const struct tcpwhy_options *options,
                  struct tw_source_error *why)
{
    struct tcpwhy_options own;

    if (!tw_options_take(&own, &session->callbacks, options, why))
        return false;
    if (own.filter)
        return tw_source_refuse(why, TCPWHY_ERR_ARGUMENT,
                                "a session takes no filter: push only the packets you want");
    session->engine = tw_engine_new(&own, why);
    if (!session->engine)
        return false;
    session->keys = tw_tls_keys_of(own.keys);
    tw_engine_use_keys(session->engine, session->keys);
    return true;
}

int tcpwhy_session_new(const struct tcpwhy_options *options, tcpwhy_session **out, char *error,
                       size_t error_size)
{
    struct tw_source_error why = { 0 };
    tcpwhy_session *session;

    if (!out)
        return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    session = tw_new0(tcpwhy_session, 1);
    if (!start(session, options, &why)) {
        tw_free(session);
        return tw_error_tell(error, error_size, why.code, "", why.text);
    }
    *out = session;
    return 0;
}

/* Can a function be called for it? Not from within its own callback. */
static bool is_ready(const tcpwhy_session *session)
{
    return session && !session->busy;
}

int tcpwhy_session_push(tcpwhy_session *session, const struct tcpwhy_packet *given)
{
    struct tcpwhy_packet packet;
    struct tw_frame frame;
    bool go_on;

    if (!is_ready(session) || !given)
        return TCPWHY_ERR_USAGE;
    if (!tw_options_copy(&packet, sizeof packet, given))
        return TCPWHY_ERR_ARGUMENT;
    if (!packet.bytes && packet.captured_len > 0)
        return TCPWHY_ERR_USAGE;
    frame = (struct tw_frame) {
        .number = ++session->frames,
        .link_type = packet.link_type,
        .time_ns = packet.time_ns,
        .original_len = packet.original_len,
        .bytes = tw_bytes(packet.bytes, packet.captured_len),
    };
    session->busy = true;
    go_on = tw_engine_push(session->engine, &frame);
    session->busy = false;
    return go_on ? 0 : TCPWHY_ERR_STOPPED;
}

int tcpwhy_session_push_parsed(tcpwhy_session *session, const struct tcpwhy_parsed *given)
{
    struct tcpwhy_parsed parsed;
    struct tw_segment segment;
    struct tw_frame frame;
    bool go_on;

    if (!is_ready(session) || !given)
        return TCPWHY_ERR_USAGE;
    if (!tw_options_copy(&parsed, sizeof parsed, given))
        return TCPWHY_ERR_ARGUMENT;
    if (!parsed.payload && parsed.payload_len > 0)
        return TCPWHY_ERR_USAGE;
    if (!tw_parsed_segment(&parsed, &segment))
        return TCPWHY_ERR_ARGUMENT;
    frame = (struct tw_frame) {
        .number = ++session->frames,
        .time_ns = parsed.time_ns,
        .original_len = tw_parsed_frame_len(&parsed),
    };
    session->busy = true;
    go_on = tw_engine_push_segment(session->engine, &frame, &segment);
    session->busy = false;
    return go_on ? 0 : TCPWHY_ERR_STOPPED;
}

int tcpwhy_session_dropped(tcpwhy_session *session, uint64_t packets)
{
    if (!is_ready(session))
        return TCPWHY_ERR_USAGE;
    tw_engine_dropped(session->engine, packets);
    return 0;
}

int tcpwhy_session_snapshot(tcpwhy_session *session, tcpwhy_report **out)
{
    if (!is_ready(session) || !out)
        return TCPWHY_ERR_USAGE;
    session->busy = true;
    *out = tw_engine_snapshot(session->engine);
    session->busy = false;
    return 0;
}

int tcpwhy_session_connection(tcpwhy_session *session, const struct tcpwhy_endpoint *end,
                              const struct tcpwhy_endpoint *other_end, tcpwhy_report **out)
{
    struct tcpwhy_parsed ends = TCPWHY_PARSED_INIT;
    struct tw_segment segment;
    tcpwhy_report *report;

    if (!is_ready(session) || !end || !other_end || !out)
        return TCPWHY_ERR_USAGE;
    ends.source = *end;
    ends.destination = *other_end;
    if (!tw_parsed_segment(&ends, &segment))
        return TCPWHY_ERR_ARGUMENT;
    report = tw_engine_connection(session->engine, &segment.tuple);
    if (!report)
        return TCPWHY_ERR_ARGUMENT;
    *out = report;
    return 0;
}

int tcpwhy_session_finish(tcpwhy_session *session, tcpwhy_report **out)
{
    tcpwhy_report *report;

    if (!is_ready(session) || !out)
        return TCPWHY_ERR_USAGE;
    session->busy = true;
    report = tw_engine_finish(session->engine, "", NULL);
    session->busy = false;
    if (report)
        *out = report;
    tcpwhy_session_free(session);
    return report ? 0 : TCPWHY_ERR_STOPPED;
}

int tcpwhy_session_free(tcpwhy_session *session)
{
    if (!session)
        return 0;
    if (session->busy)
        return TCPWHY_ERR_USAGE;
    tw_engine_free(session->engine);
    tw_tls_keys_free(session->keys);
    tw_free(session);
    return 0;
}

const char *tcpwhy_version(void)
{
    return TCPWHY_VERSION;
}
