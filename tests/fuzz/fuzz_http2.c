/* SPDX-License-Identifier: MIT */
/* The frames of HTTP/2. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(http2)
