/* SPDX-License-Identifier: MIT */
/* The messages of mongodb. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(mongodb)
