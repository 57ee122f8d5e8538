/* SPDX-License-Identifier: MIT */
/*
 * Messages of DNS, over UDP and in pieces over TCP, and what they are joined to. The input is a
 * row of messages: how it comes, length, bytes.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "names/names.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"

#define MEMORY 65536

static void check(const struct tw_names *names)
{
    assert(tw_lookups_n(names->lookups) <= names->most);
    for (guint i = 0; i < tw_lookups_n(names->lookups); i++) {
        const struct tw_lookup *l = tw_lookups_at(names->lookups, i);

        assert(strlen(l->name) < TW_DNS_NAME);
        for (const char *c = l->name; *c; c++)
            assert(*c > ' ' && *c < 0x7f);
        assert(l->answered_ns == TCPWHY_NS_UNKNOWN || l->answered_ns >= l->query_ns);
    }
    for (guint i = 0; i < names->before->len; i++) {
        const struct tw_before_syn *b = &tw_array_index(names->before, struct tw_before_syn, i);

        assert(b->lookup_ns >= 0 && b->hop_ns >= 0);
    }
}

static void take(struct tw_names *names, uint8_t how, struct tw_bytes bytes, uint32_t frame)
{
    bool response = how & 1;
    struct tw_segment s = { .payload = bytes, .len = (uint32_t)bytes.len, .seq = frame };

    s.tuple.version = how & 2 ? 6 : 4;
    s.tuple.address[response ? 1 : 0][0] = 10;
    s.tuple.address[response ? 0 : 1][0] = how >> 4;
    s.tuple.port[response ? 0 : 1] = TW_DNS_PORT;
    if (how & 4)
        tw_names_take_stream(names, &s, how >> 4, response, TCPWHY_MS(frame), frame);
    else
        tw_names_take(names, &s, TCPWHY_MS(frame), frame);
    if (how & 8 && bytes.len >= 4)
        memcpy(s.tuple.address[1], bytes.data + bytes.len - 4, 4);
    if (how & 8)
        tw_names_join(names, &s.tuple, frame, TCPWHY_MS(frame), frame, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    struct tw_names *names = tw_names_new(MEMORY);

    for (uint32_t frame = 1; in.rest.len > 0; frame++) {
        uint8_t how = input_u8(&in);
        uint16_t len = input_u16(&in);

        take(names, how, input_bytes(&in, len), frame);
    }
    check(names);
    tw_names_free(names);
    return 0;
}

static size_t piece(struct tw_bytes rest)
{
    return tw_bytes_first(rest, 3 + (size_t)tw_be16(rest, 1)).len;
}

MUTATE_PIECES(0, piece)
