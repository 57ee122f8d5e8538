/* SPDX-License-Identifier: MIT */
/* A public session that is given frames made here: raw IPv4 between a client's port and port 80. */
#ifndef TW_TESTS_UNIT_SESSION_WIRE_H
#define TW_TESTS_UNIT_SESSION_WIRE_H

#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/tcpwhy.h>

#include "dissect/dissect.h"
#include "report/report_rows.h"
#include "tests/unit/owned.h"

#define RAW_IP  101
#define HEADERS 40

static inline void put16(uint8_t *at, unsigned value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void put32(uint8_t *at, uint32_t value)
{
    put16(at, value >> 16);
    put16(at + 2, value);
}

/* Len bytes of payload; up: from the client. */
static inline size_t packet(uint8_t *out, unsigned port, bool up, uint32_t seq, uint32_t ack,
                            uint8_t flags, unsigned len)
{
    memset(out, 0, HEADERS + len);
    out[0] = 0x45;
    put16(out + 2, HEADERS + len);
    out[8] = 64;
    out[9] = 6;
    put32(out + 12, up ? 0x0a000001 : 0x0a000002);
    put32(out + 16, up ? 0x0a000002 : 0x0a000001);
    put16(out + 20, up ? port : 80);
    put16(out + 22, up ? 80 : port);
    put32(out + 24, seq);
    put32(out + 28, ack);
    out[32] = 0x50;
    out[33] = flags;
    put16(out + 34, 60000);
    return HEADERS + len;
}

static inline int push(tcpwhy_session *s, int64_t ms, unsigned port, bool up, uint32_t seq,
                       uint32_t ack, uint8_t flags, unsigned len)
{
    uint8_t bytes[HEADERS + 200];
    struct tcpwhy_packet p = { .struct_size = sizeof p,
                               .link_type = RAW_IP,
                               .time_ns = TCPWHY_S(1000000) + TCPWHY_MS(ms),
                               .bytes = bytes };

    p.captured_len = p.original_len = (uint32_t)packet(bytes, port, up, seq, ack, flags, len);
    return tcpwhy_session_push(s, &p);
}

/* A question that is answered after 700 ms: 7 frames. */
static inline int ask(tcpwhy_session *s, int64_t ms, unsigned port)
{
    push(s, ms, port, true, 0, 0, TW_SYN, 0);
    push(s, ms + 10, port, false, 0, 1, TW_SYN | TW_ACK, 0);
    push(s, ms + 11, port, true, 1, 1, TW_ACK, 0);
    push(s, ms + 12, port, true, 1, 1, TW_PSH | TW_ACK, 100);
    push(s, ms + 22, port, false, 1, 101, TW_ACK, 0);
    push(s, ms + 722, port, false, 1, 101, TW_PSH | TW_ACK, 100);
    return push(s, ms + 723, port, true, 101, 101, TW_ACK, 0);
}

/* options may be NULL. */
static inline tcpwhy_session *start(const struct tcpwhy_options *options)
{
    tcpwhy_session *session = NULL;
    char error[TCPWHY_ERROR_TEXT];

    assert_int_equal(tcpwhy_session_new(options, &session, error, sizeof error), 0);
    return session;
}

static inline tcpwhy_report *finish(tcpwhy_session *session)
{
    tcpwhy_report *report = NULL;

    assert_int_equal(tcpwhy_session_finish(session, &report), 0);
    return report;
}

/* Counts calls of the callbacks, and stops after stop_after calls (0: never). */
struct told {
    int streams, findings, progress, stop_after;
    uint32_t last_stream;
    uint64_t last_frames;
    enum tcpwhy_cause cause;
    tcpwhy_ns cost_ns;
    uint64_t done, total;
};

static inline bool on_stream(void *user, const struct tcpwhy_stream *stream)
{
    struct told *told = user;

    told->last_stream = stream->stream;
    told->last_frames = stream->frames;
    return ++told->streams != told->stop_after;
}

#endif
