/* SPDX-License-Identifier: MIT */
/* cmocka wants these first; every unit test includes this and nothing of them itself. */
#ifndef TW_TESTS_UNIT_H
#define TW_TESTS_UNIT_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#endif
