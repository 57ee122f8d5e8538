/* SPDX-License-Identifier: MIT */
/* Whether the address sanitizer watches: it sees the bounds of the heap's blocks, and no others. */
#ifndef TW_BASE_SANITIZER_H
#define TW_BASE_SANITIZER_H

#if defined(__has_feature) /* clang's way to tell */
#if __has_feature(address_sanitizer)
#define TW_ADDRESS_SANITIZER 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define TW_ADDRESS_SANITIZER 1
#endif

#ifndef TW_ADDRESS_SANITIZER
#define TW_ADDRESS_SANITIZER 0
#endif

#endif
