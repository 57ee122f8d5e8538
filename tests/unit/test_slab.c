/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <string.h>

#include "base/slab.h"

#define MANY 1000
#define SIZE 24

TEST(blocks_do_not_overlap)
{
    static unsigned char *block[MANY];
    struct tw_slab slab = { .size = SIZE };

    for (int i = 0; i < MANY; i++) {
        block[i] = tw_slab_take(&slab);
        assert_int_equal((uintptr_t)block[i] % sizeof(void *), 0);
        memset(block[i], i & 0xff, SIZE);
    }
    for (int i = 0; i < MANY; i++)
        for (int k = 0; k < SIZE; k++)
            assert_int_equal(block[i][k], i & 0xff);
    tw_slab_clear(&slab);
}

TEST(returned_slots_are_reused)
{
    struct tw_slab slab = { .size = SIZE };

    void *a = tw_slab_take(&slab), *b = tw_slab_take(&slab);

    tw_slab_give(&slab, a);
    tw_slab_give(&slab, b);
    assert_ptr_equal(tw_slab_take(&slab), b);
    assert_ptr_equal(tw_slab_take(&slab), a);
    assert_ptr_not_equal(tw_slab_take(&slab), a);
    tw_slab_clear(&slab);
    assert_null(slab.chunks);
    assert_non_null(tw_slab_take(&slab));
    tw_slab_clear(&slab);
}
