/* SPDX-License-Identifier: MIT */
/* The messages of mqtt. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(mqtt)
