/* SPDX-License-Identifier: MIT */
/* The packets of memcached's binary protocol. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(memcached_binary)
