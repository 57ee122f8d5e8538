/* SPDX-License-Identifier: MIT */
/* The messages of memcached. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(memcached)
