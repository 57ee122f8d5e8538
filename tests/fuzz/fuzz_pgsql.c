/* SPDX-License-Identifier: MIT */
/* The messages of pgsql. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(pgsql)
