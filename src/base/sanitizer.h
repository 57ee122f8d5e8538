/* SPDX-License-Identifier: MIT */
/*
 * Active sanitizers: ASan only knows bounds of heap blocks, TSan does not know memory moved by
 * mremap().
 */
#ifndef TW_BASE_SANITIZER_H
#define TW_BASE_SANITIZER_H

#if defined(__has_feature) /* clang */
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
