/* SPDX-License-Identifier: MIT */
/* Runs the tests of a file, or those of them whose names match the first argument ("*" stands for
 * any characters). */
#include "tests/unit.h"

#define MOST_TESTS 100

static struct CMUnitTest enrolled[MOST_TESTS];
static size_t n_enrolled;

void test_enrol(const char *name, CMUnitTestFunction test)
{
    assert_true(n_enrolled < MOST_TESTS);
    enrolled[n_enrolled++] = (struct CMUnitTest) { .name = name, .test_func = test };
}

int main(int argc, char **argv)
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return _cmocka_run_group_tests("tests", enrolled, n_enrolled, NULL, NULL);
}
