/* SPDX-License-Identifier: MIT */
/* The messages of tds. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(tds)
