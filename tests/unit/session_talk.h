/* SPDX-License-Identifier: MIT */
/* A connection through a public session, told by what each side says: sequence numbers follow. */
#ifndef TW_TESTS_UNIT_SESSION_TALK_H
#define TW_TESTS_UNIT_SESSION_TALK_H

#include "tests/unit/session_wire.h"

#define PORT 40000
#define C    true
#define S    false

#define REPORT_TEST(name, make)                                                                    \
    TEST_FROM(name, tcpwhy_report *, report, make, tcpwhy_report_free(report))

struct talk {
    tcpwhy_session *session;
    uint32_t next[2]; /* sequence number of the server, of the client */
};

/* A segment with that text, the NULs of which count where its length is given. */
static inline void say_bytes(struct talk *t, int64_t ms, bool up, uint8_t flags, const void *text,
                             size_t len)
{
    uint8_t bytes[HEADERS + 200];
    struct tcpwhy_packet p = TCPWHY_PACKET_INIT;

    assert_in_range(len, 0, 200);
    p.captured_len = p.original_len =
        (uint32_t)packet(bytes, PORT, up, t->next[up], t->next[!up], flags | TW_ACK, (unsigned)len);
    if (len > 0)
        memcpy(bytes + HEADERS, text, len);
    p.link_type = RAW_IP;
    p.time_ns = TCPWHY_S(1000000) + TCPWHY_MS(ms);
    p.bytes = bytes;
    assert_int_equal(tcpwhy_session_push(t->session, &p), 0);
    t->next[up] += (uint32_t)len + !!(flags & (TW_SYN | TW_FIN));
}

static inline void say(struct talk *t, int64_t ms, bool up, const char *text)
{
    say_bytes(t, ms, up, TW_PSH, text, strlen(text));
    say_bytes(t, ms + 1, !up, 0, NULL, 0);
}

static inline struct talk meet(void)
{
    struct talk t = { .session = start(NULL) };

    push(t.session, 0, PORT, C, 0, 0, TW_SYN, 0);
    t.next[C] = 1;
    say_bytes(&t, 10, S, TW_SYN, NULL, 0);
    say_bytes(&t, 11, C, 0, NULL, 0);
    return t;
}

static inline tcpwhy_report *part(struct talk *t, int64_t ms, bool up)
{
    say_bytes(t, ms, up, TW_FIN, NULL, 0);
    say_bytes(t, ms + 1, !up, TW_FIN, NULL, 0);
    say_bytes(t, ms + 2, up, 0, NULL, 0);
    return finish(t->session);
}

static inline enum tcpwhy_failure_kind failure_of(const tcpwhy_report *report)
{
    return tcpwhy_report_verdict(report)->failure;
}

#endif
