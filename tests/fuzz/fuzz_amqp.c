/* SPDX-License-Identifier: MIT */
/* The messages of amqp. */
#include "tests/fuzz/fuzz_protocol.h"

FUZZ_PROTOCOL(amqp)
