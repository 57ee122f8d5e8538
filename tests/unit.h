/* SPDX-License-Identifier: MIT */
/* cmocka wants these first; every unit test includes this and nothing of them itself. */
#ifndef TW_TESTS_UNIT_H
#define TW_TESTS_UNIT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

/* tests/unit/enrolled.c runs what is enrolled, in that order. */
void test_enrol(const char *name, CMUnitTestFunction test);

/* TEST(a_statement_that_holds) { ... } is a test, and enrolled. */
#define TEST(name)                                                                                 \
    static void name(void);                                                                        \
    static void name##_run(void **state)                                                           \
    {                                                                                              \
        (void)state;                                                                               \
        name();                                                                                    \
    }                                                                                              \
    __attribute__((constructor)) static void name##_enrol(void)                                    \
    {                                                                                              \
        test_enrol(#name, name##_run);                                                             \
    }                                                                                              \
    static void name(void)

/* The same with an object of its own, `variable`: the call `make` comes before the test, `clear`
 * behind it. */
#define TEST_WITH(name, type, variable, make, clear)                                               \
    static void name##_with(type *variable);                                                       \
    TEST(name)                                                                                     \
    {                                                                                              \
        type object, *variable = &object;                                                          \
                                                                                                   \
        make;                                                                                      \
        name##_with(variable);                                                                     \
        clear;                                                                                     \
    }                                                                                              \
    static void name##_with(type *variable)

/* The same with a value, mostly a pointer, that is what `make` returns. */
#define TEST_FROM(name, type, variable, make, clear)                                               \
    static void name##_from(type variable);                                                        \
    TEST(name)                                                                                     \
    {                                                                                              \
        type variable = make;                                                                      \
                                                                                                   \
        name##_from(variable);                                                                     \
        clear;                                                                                     \
    }                                                                                              \
    static void name##_from(type variable)

#endif
