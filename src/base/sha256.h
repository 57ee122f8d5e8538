/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), without memory of its own. */
#ifndef TW_BASE_SHA256_H
#define TW_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define TW_SHA256_BYTES 32

void tw_sha256(const uint8_t *bytes, size_t n, uint8_t digest[TW_SHA256_BYTES]);

#endif
