/* SPDX-License-Identifier: MIT */
/*
 * The dissectors and the reassembly of fragments. The input is a row of frames: link type, flags,
 * captured length, what is missing of the original, bytes.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "dissect/checksum.h"
#include "dissect/defrag.h"
#include "dissect/dissect.h"
#include "tests/fuzz/input.h"
#include "tests/fuzz/pieces.h"
#include "tests/same_segment.h"

/* Seconds, so that fragments are given up now and then. */
#define STEP_MASK 0x3f

static void check(const struct tw_dissection *d, enum tw_frame_kind kind)
{
    const struct tw_segment *s = &d->segment;
    uint64_t sum = 0;

    assert(d->kind == kind);
    if (kind != TW_FRAME_TCP && kind != TW_FRAME_ICMP)
        return;
    assert(s->tuple.version == 4 || s->tuple.version == 6);
    assert(s->n_sack <= TW_MAX_SACK);
    assert(s->payload.len <= s->len || (s->facts & TW_SEG_NO_LENGTH));
    for (size_t i = 0; i < s->payload.len; i++)
        sum += s->payload.data[i];
    sum += tw_checksum_is_begun(s);
    __asm__ volatile("" : : "r"(sum));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { tw_bytes(data, size) };
    struct tw_defrag *defrag = tw_defrag_new();
    tcpwhy_ns now = 0;

    for (uint32_t frame = 1; in.rest.len > 0; frame++) {
        uint16_t link_type = input_u16(&in);
        uint8_t step = input_u8(&in);
        uint16_t captured = input_u16(&in), missing = input_u16(&in);
        struct tw_bytes bytes = input_bytes(&in, captured);
        uint8_t *copy = malloc(bytes.len + (bytes.len == 0));
        struct tw_dissection d;
        bool taken;

        if (bytes.len > 0)
            memcpy(copy, bytes.data, bytes.len);
        now += TCPWHY_S(step & STEP_MASK);
        tw_defrag_begin(defrag, now, frame);
        check(&d, tw_dissect(step & 0x80 ? NULL : defrag, link_type, tw_bytes(copy, bytes.len),
                             (uint32_t)bytes.len + missing, &d));
        assert(both_ways_agree(link_type, tw_bytes(copy, bytes.len), (uint32_t)bytes.len + missing,
                               &taken));
        free(copy);
    }
    tw_defrag_facts(defrag);
    tw_defrag_free(defrag);
    return 0;
}

static size_t piece(struct tw_bytes rest)
{
    return tw_bytes_first(rest, 7 + (size_t)tw_be16(rest, 3)).len;
}

MUTATE_PIECES(0, piece)
