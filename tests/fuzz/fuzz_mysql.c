/* SPDX-License-Identifier: MIT */
/* The messages of mysql. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(mysql)
