/* SPDX-License-Identifier: MIT */
/* The messages of kafka. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(kafka)
