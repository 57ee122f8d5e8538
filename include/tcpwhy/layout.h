/* SPDX-License-Identifier: MIT */
/** @file
 * How the public structs lie in memory, for languages that describe them by hand: compare before
 * the first use, and refuse a library whose members lie elsewhere.
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
    const char *of;   /**< the struct's name: "tcpwhy_stream". */
    const char *name; /**< the member's: "first_frame". */
    size_t offset;    /**< in bytes, from the beginning of the struct. */
    size_t size;      /**< in bytes. */
};

/** How many members all structs have together. Threads: any. */
TCPWHY_API size_t tcpwhy_layout_count(void);

/** Members, those of a struct together. @return the one at index i, or NULL beyond the last. Static
 * storage. Threads: any. */
TCPWHY_API const struct tcpwhy_member *tcpwhy_layout(size_t i);

#ifdef __cplusplus
}
#endif

#endif
