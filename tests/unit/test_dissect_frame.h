/* SPDX-License-Identifier: MIT */
/*
 * Frames written as hex, so that a header can be put together from named pieces. Each piece is
 * one layer; the inner ones come last.
 */
#ifndef TW_TEST_DISSECT_FRAME_H
#define TW_TEST_DISSECT_FRAME_H

#include "tests/unit.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dissect/dissect.h"
#include "tests/same_segment.h"

#define MACS "020000000002 020000000001 "
#define ETH  MACS "0800 "
#define ETH6 MACS "86dd "

/* 10.0.0.1 to 10.0.0.2, fd00::1 to fd00::2; ttl 64, id 0x1234, ECN capable; 36 bytes inside. */
#define IP4_OF(protocol) "4502 0038 1234 4000 40" protocol " 0000 0a000001 0a000002 "
#define IP6_OF(protocol, len)                                                                      \
    "60200000 " len " " protocol " 40 fd00 0000000000000000000000000001 "                          \
    "fd00 0000000000000000000000000002 "
#define IP4 IP4_OF("06")
#define IP6 IP6_OF("06", "0024")

/* Around a tunnel: lengths of 0 and beyond the end leave it to the frame. */
#define OUTER4(protocol) "4500 0000 0000 0000 ff" protocol " 0000 c0a80001 c0a80002 "
#define OUTER_UDP(port)  OUTER4("11") "fffe " port " ffff 0000 "

/* 50000 to 80, seq 1, ack 2, PSH and ACK, window 501; timestamps 10 and 11; 4 bytes of payload. */
#define TCP "c350 0050 00000001 00000002 8018 01f5 0000 0000 0101080a 0000000a 0000000b 61626364 "

struct test_frame {
    uint8_t *bytes; /* of its own size exactly, so that a read past the end is seen */
    size_t len;
};

static inline uint8_t test_nibble(char c)
{
    return (uint8_t)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
}

static inline struct test_frame test_frame(const char *hex)
{
    struct test_frame f = { malloc(strlen(hex) / 2 + 1), 0 };
    size_t digits = 0;
    uint8_t byte = 0;

    for (const char *c = hex; *c != '\0'; c++) {
        if (*c == ' ')
            continue;
        byte = (uint8_t)(byte << 4 | test_nibble(*c));
        if (++digits % 2 == 0)
            f.bytes[f.len++] = byte;
    }
    return f;
}

/* Dissect the first captured bytes of a frame that was original_len long. */
static inline enum tw_frame_kind test_dissect_cut(uint32_t link_type, const struct test_frame *f,
                                                  size_t captured, size_t original_len,
                                                  struct tw_dissection *out)
{
    uint8_t *copy = malloc(captured + (captured == 0));
    enum tw_frame_kind kind;
    bool taken;

    memcpy(copy, f->bytes, captured);
    kind = tw_dissect(NULL, link_type, tw_bytes(copy, captured), (uint32_t)original_len, out);
    assert_true(
        both_ways_agree(link_type, tw_bytes(copy, captured), (uint32_t)original_len, &taken));
    assert_true(out->segment.payload.len <= captured);
    free(copy);
    out->segment.payload.data = NULL;
    return kind;
}

/* The frame as hex, whole. The segment's payload is gone; its length stands. */
static inline enum tw_frame_kind test_dissect(uint32_t link_type, const char *hex,
                                              struct tw_dissection *out)
{
    struct test_frame f = test_frame(hex);
    enum tw_frame_kind kind = test_dissect_cut(link_type, &f, f.len, f.len, out);

    free(f.bytes);
    return kind;
}

/* The segment is the one of TCP above, whatever lies around it. */
static inline void test_is_the_segment(const struct tw_segment *s)
{
    assert_int_equal(s->tuple.port[0], 50000);
    assert_int_equal(s->tuple.port[1], 80);
    assert_int_equal(s->seq, 1);
    assert_int_equal(s->ack, 2);
    assert_int_equal(s->flags, TW_PSH | TW_ACK);
    assert_int_equal(s->window, 501);
    assert_int_equal(s->header_len, 32);
    assert_int_equal(s->options, TW_OPT_TIMESTAMP);
    assert_int_equal(s->tsval, 10);
    assert_int_equal(s->tsecr, 11);
    assert_int_equal(s->len, 4);
    assert_int_equal(s->ttl, 64);
    assert_int_equal(s->tuple.address[0][0], s->tuple.version == 4 ? 10 : 0xfd);
    assert_int_equal(s->tuple.address[1][s->tuple.version == 4 ? 3 : 15], 2);
}

#endif
