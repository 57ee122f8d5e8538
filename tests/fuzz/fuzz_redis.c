/* SPDX-License-Identifier: MIT */
/* The messages of redis. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(redis)
