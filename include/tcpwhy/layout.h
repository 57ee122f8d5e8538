/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Memory layout of the public structs, for languages that declare them by hand. Compare it before
 * the first use, and refuse a library with other offsets.
 */
#ifndef TCPWHY_LAYOUT_H
#define TCPWHY_LAYOUT_H

#include <stddef.h>

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A member of a public struct, as the library was built. This struct never changes. */
struct tcpwhy_member {
    const char *of;   /**< name of the struct: "tcpwhy_stream". */
    const char *name; /**< name of the member: "first_frame". */
    size_t offset;    /**< offset in the struct, bytes. */
    size_t size;      /**< size, bytes. */
};

/** Number of members of all structs. Threads: any. */
TCPWHY_API size_t tcpwhy_layout_count(void);

/** Get a member; those of a struct stand together. @return the one at index i, or NULL beyond the
 * last. Static storage. Threads: any. */
TCPWHY_API const struct tcpwhy_member *tcpwhy_layout(size_t i);

#ifdef __cplusplus
}
#endif

#endif
