/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <string.h>

#include "base/sanitizer.h"
#include "base/scratch.h"

#define SCRATCH_TEST(name)                                                                         \
    TEST_WITH(name, struct tw_scratch, scratch, *scratch = (struct tw_scratch) { 0 },              \
              tw_scratch_clear(scratch))

SCRATCH_TEST(pieces_are_aligned_and_do_not_overlap)
{
    unsigned char *piece[100];

    for (unsigned i = 0; i < 100; i++) {
        piece[i] = tw_scratch_get(scratch, i * 50, 1);
        assert_int_equal((uintptr_t)piece[i] % sizeof(long double), 0);
        memset(piece[i], (int)i, i * 50);
    }
    for (unsigned i = 0; i < 100; i++)
        for (unsigned k = 0; k < i * 50; k++)
            assert_int_equal(piece[i][k], i);
}

/* Two that grow by turns, and one that grows alone, beyond what a block holds. */
SCRATCH_TEST(an_array_that_grows_keeps_its_values)
{
    uint64_t *array[3] = { NULL };
    uint32_t capacity[3] = { 0 };

    for (uint32_t i = 0; i < 300000; i++)
        for (unsigned k = 0; k < (i < 20000 ? 2 : 1); k++) {
            array[k] = tw_scratch_grow(scratch, array[k], i, &capacity[k], sizeof *array[k]);
            array[k][i] = i + k;
        }
    for (uint32_t i = 0; i < 300000; i++)
        assert_int_equal(array[0][i], i);
    for (uint32_t i = 0; i < 20000; i++)
        assert_int_equal(array[1][i], i + 1);
}

TEST(released_memory_is_reused_by_the_next_allocation)
{
    struct tw_scratch scratch = { 0 };

    for (unsigned i = 0; i < 1000; i++) {
        tw_scratch_reset(&scratch);
        memset(tw_scratch_get(&scratch, 30000, 1), 1, 30000);
        memset(tw_scratch_get(&scratch, i * 100, 30), 2, (size_t)i * 3000);
    }
    tw_scratch_clear(&scratch);
    assert_null(scratch.block);
}

SCRATCH_TEST(an_allocation_of_no_bytes_has_an_address)
{
    void *nothing = tw_scratch_get(scratch, 0, 24);
    uint64_t *some;

    assert_non_null(nothing);
    tw_scratch_return(scratch, nothing);
    some = tw_scratch_get(scratch, 1, sizeof *some);
    *some = 7;
    nothing = tw_scratch_get(scratch, 0, 24);
    assert_non_null(nothing);
    tw_scratch_return(scratch, nothing);
    assert_int_equal(*some, 7);
}

SCRATCH_TEST(returned_memory_is_reused)
{
    uint32_t *kept, *returned;

    kept = tw_scratch_get(scratch, 1, sizeof *kept);
    *kept = 7;
    for (int i = 0; i < 1000; i++) {
        returned = tw_scratch_get(scratch, 1000, sizeof *returned);
        memset(returned, 0, 1000 * sizeof *returned);
        tw_scratch_return(scratch, returned);
    }
    if (!TW_ADDRESS_SANITIZER)
        assert_ptr_equal(tw_scratch_get(scratch, 1, 1), returned);
    assert_int_equal(*kept, 7);
}
