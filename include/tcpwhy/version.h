/* SPDX-License-Identifier: MIT */
/** @file
 * The version of these headers, for the preprocessor, and of the library that runs.
 */
#ifndef TCPWHY_VERSION_H
#define TCPWHY_VERSION_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version as numbers: MAJOR.MINOR.PATCH. */
#define TCPWHY_VERSION_MAJOR 0
/** Likewise. */
#define TCPWHY_VERSION_MINOR 2
/** Likewise. */
#define TCPWHY_VERSION_PATCH 0

/** The version as text. */
#define TCPWHY_VERSION "0.2.0"

/**
 * Are these headers of that version, or of a later one?
 *
 *     #if TCPWHY_VERSION_CHECK(0, 2, 0)
 */
#define TCPWHY_VERSION_CHECK(major, minor, patch)                                                  \
    (TCPWHY_VERSION_MAJOR * 1000000 + TCPWHY_VERSION_MINOR * 1000 + TCPWHY_VERSION_PATCH >=        \
     (major)*1000000 + (minor)*1000 + (patch))

/** The version of the library that runs, as text. Static storage. Threads: any. */
TCPWHY_API const char *tcpwhy_version(void);

#ifdef __cplusplus
}
#endif

#endif
