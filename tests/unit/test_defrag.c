/* SPDX-License-Identifier: MIT */
/* Datagrams in pieces: in every order, twice, overlapping, endless, forged, and forgotten. */
#include "tests/unit.h"

#include "tests/unit/test_dissect_frame.h"

#include "dissect/defrag.h"

/* TCP above, 36 bytes, in three pieces of 16, 16 and 4 bytes. */
#define TCP_1 "c350 0050 00000001 00000002 8018 01f5 "
#define TCP_2 "0000 0000 0101080a 0000000a 0000000b "
#define TCP_3 "61626364 "

/* field: three flags and the offset in units of 8. */
#define FRAGMENT4(len, field) ETH "4502 " len " 1234 " field " 4006 0000 0a000001 0a000002 "
#define FIRST4                FRAGMENT4("0024", "2000") TCP_1
#define MIDDLE4               FRAGMENT4("0024", "2002") TCP_2
#define LAST4                 FRAGMENT4("0018", "0004") TCP_3

#define FRAGMENT6(len, next, field) ETH6 IP6_OF("2c", len) next "00 " field " 00001234 "
#define FIRST6                      FRAGMENT6("0018", "06", "0001") TCP_1
#define MIDDLE6                     FRAGMENT6("0018", "06", "0011") TCP_2
#define LAST6                       FRAGMENT6("000c", "06", "0020") TCP_3

struct run {
    struct tw_defrag *defrag;
    uint32_t frame;
    struct tw_dissection d; /* of the last frame */
};

static struct run begin(void)
{
    return (struct run) { .defrag = tw_defrag_new() };
}

static struct tw_defrag_facts end(struct run *run)
{
    struct tw_defrag_facts facts = tw_defrag_facts(run->defrag);

    tw_defrag_free(run->defrag);
    return facts;
}

static enum tw_frame_kind push_cut(struct run *run, const char *hex, size_t cut, tcpwhy_ns now)
{
    struct test_frame f = test_frame(hex);
    enum tw_frame_kind kind;

    tw_defrag_begin(run->defrag, now, ++run->frame);
    kind = tw_dissect(run->defrag, 1, tw_bytes(f.bytes, f.len - cut), (uint32_t)f.len, &run->d);
    free(f.bytes); /* a whole datagram must not lie in the frame */
    return kind;
}

static enum tw_frame_kind push(struct run *run, const char *hex)
{
    return push_cut(run, hex, 0, 0);
}

/* All but the last frame are pieces; the last gives the segment. */
static void expect_whole(struct run *run, const char *const *frames, size_t n)
{
    for (size_t i = 0; i + 1 < n; i++)
        assert_int_equal(push(run, frames[i]), TW_FRAME_FRAGMENT);
    assert_int_equal(push(run, frames[n - 1]), TW_FRAME_TCP);
    test_is_the_segment(&run->d.segment);
    assert_int_equal(run->d.segment.payload.len, 4);
    assert_memory_equal(run->d.segment.payload.data, "abcd", 4);
}

#define EXPECT_WHOLE(run, ...)                                                                     \
    do {                                                                                           \
        const char *const frames_[] = { __VA_ARGS__ };                                             \
        expect_whole(run, frames_, sizeof frames_ / sizeof *frames_);                              \
    } while (0)

TEST(the_frame_that_completes_a_datagram_is_the_whole_of_it)
{
    static const char *const pieces[2][3] = { { FIRST4, MIDDLE4, LAST4 },
                                              { FIRST6, MIDDLE6, LAST6 } };
    static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
                                      { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

    for (int v = 0; v < 2; v++) {
        for (int i = 0; i < 6; i++) {
            struct run run = begin();
            const int *at = orders[i];

            EXPECT_WHOLE(&run, pieces[v][at[0]], pieces[v][at[1]], pieces[v][at[2]]);
            struct tw_defrag_facts facts = end(&run);

            assert_int_equal(facts.incomplete, 0);
            assert_int_equal(facts.overlaps, 0);
        }
    }
}

#define DEFRAG_TEST(name) TEST_WITH(name, struct run, run, *run = begin(), (void)run)

DEFRAG_TEST(pieces_of_other_datagrams_are_kept_apart)
{
    /* Another identification, another address, another protocol, another tag. */
    push(run, ETH "4502 0018 1235 0004 4006 0000 0a000001 0a000002 " TCP_3);
    push(run, ETH "4502 0018 1234 0004 4006 0000 0a000001 0a000003 " TCP_3);
    push(run, ETH "4502 0018 1234 0004 4011 0000 0a000001 0a000002 " TCP_3);
    push(run, MACS "8100 0001 0800 4502 0018 1234 0004 4006 0000 0a000001 0a000002 " TCP_3);
    EXPECT_WHOLE(run, FIRST4, MIDDLE4, LAST4);
    assert_int_equal(end(run).incomplete, 3);
}

DEFRAG_TEST(a_piece_that_comes_twice_changes_nothing)
{
    EXPECT_WHOLE(run, FIRST4, FIRST4, MIDDLE4, FIRST4, MIDDLE4, LAST4);
    assert_int_equal(tw_defrag_facts(run->defrag).incomplete, 0);
    assert_int_equal(push(run, LAST4), TW_FRAME_FRAGMENT);
    struct tw_defrag_facts facts = end(run);

    assert_int_equal(facts.incomplete, 1);
    assert_int_equal(facts.overlaps, 0);
}

DEFRAG_TEST(overlapping_fragments_keep_the_bytes_that_came_first)
{
    EXPECT_WHOLE(run, FIRST4, LAST4,
                 FRAGMENT4("0024", "2000") "ffff 0050 00000001 00000002 8018 01f5 ", MIDDLE4);
    struct tw_defrag_facts facts = end(run);

    assert_int_equal(facts.overlaps, 1);
    assert_int_equal(facts.first_overlap, 3);
}

DEFRAG_TEST(a_second_end_is_not_believed)
{
    EXPECT_WHOLE(run, FIRST4, LAST4, FRAGMENT4("001c", "0004") "61626364 65666768 ",
                 FRAGMENT4("001c", "2008") "61626364 65666768 ", MIDDLE4);
    assert_int_equal(end(run).overlaps, 2);
}

DEFRAG_TEST(incomplete_datagrams_are_counted)
{
    assert_int_equal(push_cut(run, FIRST4, 0, 0), TW_FRAME_FRAGMENT);
    assert_int_equal(push_cut(run, MIDDLE4, 0, TCPWHY_S(60)), TW_FRAME_FRAGMENT);
    assert_int_equal(push_cut(run, LAST4, 0, TCPWHY_S(61)), TW_FRAME_FRAGMENT);
    assert_int_equal(push_cut(run, LAST6, 0, TCPWHY_S(61)), TW_FRAME_FRAGMENT);
    struct tw_defrag_facts facts = end(run);

    assert_int_equal(facts.incomplete, 4);
    assert_int_equal(facts.first_incomplete, 1);
}

DEFRAG_TEST(a_piece_that_the_snap_length_cut_is_not_used)
{
    push(run, FIRST4);
    push(run, LAST4);
    assert_int_equal(push_cut(run, MIDDLE4, 1, 0), TW_FRAME_FRAGMENT);
    assert_int_equal(end(run).incomplete, 3);
}

DEFRAG_TEST(a_fragment_beyond_64_kilobytes_is_malformed)
{
    /* Beyond 65,535 bytes, and nothing that is not the end. */
    assert_int_equal(push(run, FRAGMENT4("0024", "1fff") TCP_1), TW_FRAME_MALFORMED);
    assert_int_equal(push(run, FRAGMENT4("0018", "2001") TCP_3), TW_FRAME_MALFORMED);
    assert_int_equal(push(run, FRAGMENT4("0014", "0001")), TW_FRAME_MALFORMED);
    assert_int_equal(end(run).incomplete, 0);
}

DEFRAG_TEST(a_fragment_quoted_by_icmp_is_not_reassembled)
{
    push(run, ETH "4500 0000 0000 0000 ff01 0000 0a000009 0a000001 0301 0000 00000000 "
                  "4502 0024 1234 2000 4006 0000 0a000001 0a000002 " TCP_1);
    push(run, MIDDLE4);
    assert_int_equal(push(run, LAST4), TW_FRAME_FRAGMENT);
    assert_int_equal(end(run).incomplete, 2);
}

/* The outer datagram carries IPv4 (4), whose own datagram comes in pieces, too. */
DEFRAG_TEST(pieces_inside_pieces_are_put_together)
{
    push(run, ETH "4500 002c 0001 2000 ff04 0000 c0a80001 c0a80002 "
                  "4502 0024 1234 2000 4006 0000 0a000001 0a000002 c350 0050 ");
    assert_int_equal(push(run, ETH "4500 0020 0001 0003 ff04 0000 c0a80001 c0a80002 "
                                   "00000001 00000002 8018 01f5 "),
                     TW_FRAME_FRAGMENT);
    push(run, MIDDLE4);
    push(run, ETH "4500 0014 0002 2001 ff04 0000 c0a80001 c0a80002 ");
    push(run, ETH "4500 0024 0002 0001 ff04 0000 c0a80001 c0a80002 "
                  "4006 0000 0a000001 0a000002 61626364 ");
    assert_int_equal(push(run, ETH "4500 001c 0002 2000 ff04 0000 c0a80001 c0a80002 "
                                   "4502 0018 1234 0004 "),
                     TW_FRAME_TCP);
    test_is_the_segment(&run->d.segment);
    assert_true(run->d.segment.facts & TW_SEG_TUNNEL);
    assert_int_equal(end(run).incomplete, 0);
}

/* A first piece each, of ever new datagrams: those that have waited longest give way. */
TEST(a_flood_of_pieces_is_bounded)
{
    struct tw_defrag *defrag = tw_defrag_new();
    uint8_t bytes[16] = { 0 };

    for (uint32_t i = 1; i <= 100000; i++) {
        struct tw_fragment f = { .id = i,
                                 .version = 6,
                                 .protocol = 6,
                                 .offset = 65000,
                                 .more = true,
                                 .bytes = tw_bytes(bytes, sizeof bytes) };

        tw_defrag_begin(defrag, i, i);
        assert_int_equal(tw_defrag_add(defrag, &f), TW_DEFRAG_WAITS);
    }
    assert_int_equal(tw_defrag_facts(defrag).incomplete, 100000);
    tw_defrag_free(defrag);
}
