/* SPDX-License-Identifier: MIT */
/*
 * What dissectors tell of a hand-made conversation, an exchange a line: "name, bytes of request and
 * response, detail", with "!" behind an incomplete one, "~" at will, ">" one way.
 */
#ifndef TW_TESTS_UNIT_TOLD_H
#define TW_TESTS_UNIT_TOLD_H

#include <glib.h>

#include "base/text.h"
#include "app/transactions.h"
#include "tests/unit/app_wire.h"

#define C TCPWHY_CLIENT
#define S TCPWHY_SERVER

#define SAY(w, from, text) wire_bytes(w, from, text, sizeof(text) - 1)

static inline char *told(struct wire *w)
{
    tw_string *all = tw_string_new(NULL);
    const struct tw_exchange *e = wire_exchanges(w);

    for (uint32_t i = 0; i < w->exchanges.n; i++) {
        const char *detail = e[i].more ? w->exchanges.more[e[i].more - 1].detail : NULL;

        tw_string_append_printf(all, "%s %d %d%s%s%s%s%s\n", e[i].request[0] ? e[i].request : "-",
                                (int)(e[i].request_to - e[i].request_from),
                                (int)(e[i].response_to - e[i].response_from),
                                e[i].complete ? "" : "!", e[i].at_will ? "~" : "",
                                e[i].one_way ? ">" : "", detail ? " " : "", detail ? detail : "");
    }
    return tw_string_free(all, FALSE);
}

static inline void assert_told(struct wire *w, const char *protocol, const char *expected)
{
    tw_autofree char *text = told(w);

    assert_string_equal(text, expected);
    for (uint32_t i = 0; protocol && i < w->exchanges.n; i++)
        assert_string_equal(w->exchanges.exchange[i].protocol, protocol);
}

/* A message of a side, in the middle of a connection, is of no such protocol. */
static inline void assert_foreign(const char *protocol, enum tcpwhy_side from, const void *bytes,
                                  size_t len)
{
    struct wire w;
    const struct tw_exchange *e;

    wire_open(&w);
    wire_bytes(&w, from, bytes, len);
    wire_ack(&w, !from);
    e = wire_exchanges(&w);
    for (uint32_t i = 0; i < w.exchanges.n; i++)
        assert_string_not_equal(e[i].protocol, protocol);
    wire_close(&w);
}

#endif
