/* SPDX-License-Identifier: MIT */
/* A fuzzer's changed input still consists of whole pieces. */
#include "tests/unit.h"

#include <string.h>

#include "tests/fuzz/pieces.h"

#define SEEDS 4000

/* A head, then pieces that begin with their length and are filled with one letter. */
static const uint8_t row[] = { 'H', 'H', 3, 'a', 'a', 2, 'b', 5, 'c', 'c', 'c', 'c', 2, 'd' };

static size_t measured(struct tw_bytes rest)
{
    return tw_bytes_first(rest, tw_u8(rest, 0) ? tw_u8(rest, 0) : 1).len;
}

/* The last byte becomes '!'. */
static size_t mark(uint8_t *data, size_t size, size_t max)
{
    assert_true(size > 0 && size <= max);
    data[size - 1] = '!';
    return size;
}

struct made {
    uint8_t bytes[64];
    size_t size;
    int n, marked, others; /* pieces; those that were changed; those that are none of the row */
};

static struct made make(unsigned seed, size_t max)
{
    struct made m = { .n = 0 };

    memcpy(m.bytes, row, sizeof row);
    m.size = mutate_pieces(m.bytes, sizeof row, max, seed, 2, measured, mark);
    for (size_t at = 2; at < m.size; at += measured(tw_bytes(m.bytes + at, m.size - at))) {
        struct tw_bytes piece = tw_bytes(m.bytes + at, m.bytes[at]);

        m.n++;
        if (m.bytes[at + piece.len - 1] == '!')
            m.marked++;
        else if (!memmem(row + 2, sizeof row - 2, piece.data, piece.len))
            m.others++;
    }
    return m;
}

TEST(whole_pieces_are_repeated_moved_left_out_or_changed_inside)
{
    int more = 0, fewer = 0, marked = 0, moved = 0;

    for (unsigned seed = 1; seed < SEEDS; seed++) {
        struct made m = make(seed * 2654435761u, sizeof m.bytes);

        assert_int_equal(m.others, 0);
        assert_in_range(m.n, 3, 5);
        assert_in_range(m.marked, 0, 1);
        assert_memory_equal(m.bytes, "HH", 2);
        more += m.n == 5;
        fewer += m.n == 3;
        marked += m.marked;
        moved += m.size == sizeof row && !m.marked && memcmp(m.bytes, row, sizeof row) != 0;
    }
    assert_true(more > SEEDS / 8 && fewer > SEEDS / 8 && marked > SEEDS / 8 && moved > SEEDS / 8);
}

TEST(an_input_grows_to_the_limit_at_most)
{
    for (unsigned seed = 1; seed < SEEDS; seed++)
        assert_in_range(make(seed * 2654435761u, sizeof row + 2).size, 1, sizeof row + 2);
}

/* Of two records of a pcap, of either byte order, one is left. */
TEST(records_of_a_capture_are_pieces)
{
    const uint8_t record[2][18] = { { [8] = 2, [12] = 2, [16] = 'x', 'x' },
                                    { [11] = 2, [15] = 2, [16] = 'y', 'y' } };

    for (int i = 0; i < 2; i++) {
        uint8_t pcap[24 + 2 * 18] = { 0xd4, 0xc3, 0xb2, 0xa1 };

        memcpy(pcap + 24, record[i], 18);
        memcpy(pcap + 24 + 18, record[i], 18);
        assert_int_equal(mutate_capture(pcap, sizeof pcap, sizeof pcap, 3, mark), 24 + 18);
        assert_memory_equal(pcap + 24, record[i], 18);
    }
}

TEST(blocks_of_a_pcapng_are_pieces)
{
    uint8_t blocks[] = { 0x0a, 0x0d, 0x0d, 0x0a, 12, 0, 0, 0, 12, 0, 0, 0,
                         1,    0,    0,    0,    12, 0, 0, 0, 12, 0, 0, 0 };

    assert_int_equal(mutate_capture(blocks, sizeof blocks, sizeof blocks, 3 + 256, mark), 12);
    assert_int_equal(blocks[0], 0x0a);
}
