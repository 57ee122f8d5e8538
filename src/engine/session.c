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
    struct tw_heap *heap;
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
    struct tw_guard guard;
    struct tw_heap *heap;
    tcpwhy_session *session;

    if (!out)
        return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    heap = tw_heap_new();
    if (TW_FAILED(guard)) {
        tw_heap_drop(heap);
        return tw_error_tell(error, error_size, TCPWHY_ERR_MEMORY, "", NULL);
    }
    tw_guard_begin(&guard, heap);
    session = tw_new0(tcpwhy_session, 1);
    session->heap = heap;
    if (start(session, options, &why))
        *out = session;
    else
        tw_free(session);
    tw_guard_end(&guard);
    if (why.code == 0)
        return 0;
    tw_heap_let_go(heap);
    return tw_error_tell(error, error_size, why.code, "", why.text);
}

/* Can a function be called for it? Not from within its own callback. */
static bool is_ready(const tcpwhy_session *session)
{
    return session && !session->busy;
}

/* Nothing can be done for it any more; its heap holds what it was. */
static bool has_failed(const tcpwhy_session *session)
{
    return tw_heap_failed(session->heap);
}

static int out_of_memory(tcpwhy_session *session)
{
    session->busy = false;
    return TCPWHY_ERR_MEMORY;
}

/* segment NULL: that of the frame's bytes. */
static int push(tcpwhy_session *session, const struct tw_frame *frame,
                const struct tw_segment *segment)
{
    struct tw_guard guard;
    bool go_on;

    if (TW_FAILED(guard))
        return out_of_memory(session);
    tw_guard_begin(&guard, session->heap);
    session->busy = true;
    go_on = segment ? tw_engine_push_segment(session->engine, frame, segment)
                    : tw_engine_push(session->engine, frame);
    session->busy = false;
    tw_guard_end(&guard);
    return go_on ? 0 : TCPWHY_ERR_STOPPED;
}

int tcpwhy_session_push(tcpwhy_session *session, const struct tcpwhy_packet *given)
{
    struct tcpwhy_packet packet;
    struct tw_frame frame;

    if (!is_ready(session) || !given)
        return TCPWHY_ERR_USAGE;
    if (!tw_options_copy(&packet, sizeof packet, given))
        return TCPWHY_ERR_ARGUMENT;
    if (!packet.bytes && packet.captured_len > 0)
        return TCPWHY_ERR_USAGE;
    if (has_failed(session))
        return TCPWHY_ERR_MEMORY;
    frame = (struct tw_frame) {
        .number = ++session->frames,
        .link_type = packet.link_type,
        .time_ns = packet.time_ns,
        .original_len = packet.original_len,
        .bytes = tw_bytes(packet.bytes, packet.captured_len),
    };
    return push(session, &frame, NULL);
}

int tcpwhy_session_push_parsed(tcpwhy_session *session, const struct tcpwhy_parsed *given)
{
    struct tcpwhy_parsed parsed;
    struct tw_segment segment;
    struct tw_frame frame;

    if (!is_ready(session) || !given)
        return TCPWHY_ERR_USAGE;
    if (!tw_options_copy(&parsed, sizeof parsed, given))
        return TCPWHY_ERR_ARGUMENT;
    if (!parsed.payload && parsed.payload_len > 0)
        return TCPWHY_ERR_USAGE;
    if (!tw_parsed_segment(&parsed, &segment))
        return TCPWHY_ERR_ARGUMENT;
    if (has_failed(session))
        return TCPWHY_ERR_MEMORY;
    frame = (struct tw_frame) {
        .number = ++session->frames,
        .time_ns = parsed.time_ns,
        .original_len = tw_parsed_frame_len(&parsed),
    };
    return push(session, &frame, &segment);
}

int tcpwhy_session_dropped(tcpwhy_session *session, uint64_t packets)
{
    if (!is_ready(session))
        return TCPWHY_ERR_USAGE;
    if (has_failed(session))
        return TCPWHY_ERR_MEMORY;
    tw_engine_dropped(session->engine, packets);
    return 0;
}

/* The report is a call's own: it may outlive the session. */
static tcpwhy_report *snapshot(struct tw_engine *engine)
{
    struct tw_guard guard;
    tcpwhy_report *report;

    if (TW_FAILED(guard))
        tw_out_of_memory(0);
    tw_call_begin(&guard);
    report = tw_engine_snapshot(engine);
    tw_call_end(&guard);
    return report;
}

int tcpwhy_session_snapshot(tcpwhy_session *session, tcpwhy_report **out)
{
    struct tw_guard guard;

    if (!is_ready(session) || !out)
        return TCPWHY_ERR_USAGE;
    if (has_failed(session))
        return TCPWHY_ERR_MEMORY;
    if (TW_FAILED(guard))
        return out_of_memory(session);
    tw_guard_begin(&guard, session->heap);
    session->busy = true;
    tw_engine_settle(session->engine);
    *out = snapshot(session->engine);
    session->busy = false;
    tw_guard_end(&guard);
    return 0;
}

/* Likewise. */
static tcpwhy_report *report_of(struct tw_engine *engine, const struct tw_tuple *tuple)
{
    struct tw_guard guard;
    tcpwhy_report *report;

    if (TW_FAILED(guard))
        tw_out_of_memory(0);
    tw_call_begin(&guard);
    report = tw_engine_connection(engine, tuple);
    tw_call_end(&guard);
    return report;
}

int tcpwhy_session_connection(tcpwhy_session *session, const struct tcpwhy_endpoint *end,
                              const struct tcpwhy_endpoint *other_end, tcpwhy_report **out)
{
    struct tcpwhy_parsed ends = TCPWHY_PARSED_INIT;
    struct tw_guard guard;
    struct tw_segment segment;
    tcpwhy_report *report;

    if (!is_ready(session) || !end || !other_end || !out)
        return TCPWHY_ERR_USAGE;
    ends.source = *end;
    ends.destination = *other_end;
    if (!tw_parsed_segment(&ends, &segment))
        return TCPWHY_ERR_ARGUMENT;
    if (has_failed(session) || TW_FAILED(guard))
        return out_of_memory(session);
    tw_guard_begin(&guard, session->heap);
    report = report_of(session->engine, &segment.tuple);
    tw_guard_end(&guard);
    if (!report)
        return TCPWHY_ERR_ARGUMENT;
    *out = report;
    return 0;
}

static int finish(tcpwhy_session *session, tcpwhy_report **out)
{
    struct tw_guard guard;
    tcpwhy_report *report;

    if (has_failed(session) || TW_FAILED(guard))
        return out_of_memory(session);
    tw_guard_begin(&guard, session->heap);
    session->busy = true;
    report = tw_engine_finish(session->engine, "", NULL);
    session->busy = false;
    tw_guard_end(&guard);
    if (report)
        *out = report;
    return report ? 0 : TCPWHY_ERR_STOPPED;
}

int tcpwhy_session_finish(tcpwhy_session *session, tcpwhy_report **out)
{
    int status;

    if (!is_ready(session) || !out)
        return TCPWHY_ERR_USAGE;
    status = finish(session, out);
    tcpwhy_session_free(session);
    return status;
}

/* Connections in the works are explained before; without memory they are dropped, too. */
static void release(tcpwhy_session *session)
{
    struct tw_heap *heap = session->heap;
    struct tw_guard guard;

    if (TW_FAILED(guard)) {
        tw_heap_drop(heap);
        return;
    }
    tw_guard_begin(&guard, heap);
    tw_engine_free(session->engine);
    tw_tls_keys_free(session->keys);
    tw_free(session);
    tw_guard_end(&guard);
    tw_heap_let_go(heap);
}

int tcpwhy_session_free(tcpwhy_session *session)
{
    if (!session)
        return 0;
    if (session->busy)
        return TCPWHY_ERR_USAGE;
    if (has_failed(session))
        tw_heap_drop(session->heap);
    else
        release(session);
    return 0;
}

const char *tcpwhy_version(void)
{
    return TCPWHY_VERSION;
}
