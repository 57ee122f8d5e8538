/* SPDX-License-Identifier: MIT */
/*
 * Which sanitizer watches: that of addresses sees the bounds of the heap's blocks and no others,
 * that of threads knows nothing of memory that mremap() moved.
 */
#ifndef TW_BASE_SANITIZER_H
#define TW_BASE_SANITIZER_H

#if defined(__has_feature) /* clang's way to tell */
#define TW_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define TW_THREAD_SANITIZER  __has_feature(thread_sanitizer)
#else
#ifdef __SANITIZE_ADDRESS__
#define TW_ADDRESS_SANITIZER 1
#else
#define TW_ADDRESS_SANITIZER 0
#endif
#ifdef __SANITIZE_THREAD__
#define TW_THREAD_SANITIZER 1
#else
#define TW_THREAD_SANITIZER 0
#endif
#endif

#endif
