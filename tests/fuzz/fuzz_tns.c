/* SPDX-License-Identifier: MIT */
/* The messages of tns. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(tns)
