/* SPDX-License-Identifier: MIT */
/* Block types and framing of pcapng, for readers and writers. */
#ifndef TW_SOURCE_PCAPNG_BLOCK_H
#define TW_SOURCE_PCAPNG_BLOCK_H

/* Block types. The first is a palindrome in both byte orders. */
#define TW_PCAPNG_SECTION         0x0a0d0d0au
#define TW_PCAPNG_INTERFACE       1u
#define TW_PCAPNG_OLD_PACKET      2u
#define TW_PCAPNG_SIMPLE_PACKET   3u
#define TW_PCAPNG_STATISTICS      5u
#define TW_PCAPNG_ENHANCED_PACKET 6u
#define TW_PCAPNG_JOURNAL         9u
#define TW_PCAPNG_SECRETS         10u
#define TW_PCAPNG_CUSTOM          0x00000badu
#define TW_PCAPNG_CUSTOM_NO_COPY  0x40000badu

/* system calls by sysdig */
#define TW_PCAPNG_SYSDIG_EVENT         0x204u
#define TW_PCAPNG_SYSDIG_EVENT_2       0x216u
#define TW_PCAPNG_SYSDIG_EVENT_2_LARGE 0x221u

#define TW_PCAPNG_BYTE_ORDER_MAGIC 0x1a2b3c4du

/* Type and total length before a block's body; the total length is repeated after it. */
#define TW_PCAPNG_BLOCK_HEADER  8u
#define TW_PCAPNG_BLOCK_TRAILER 4u
#define TW_PCAPNG_BLOCK_MIN     (TW_PCAPNG_BLOCK_HEADER + TW_PCAPNG_BLOCK_TRAILER)

/* Fixed part before the options of a section, and before the data of an enhanced or old packet
 * block. */
#define TW_PCAPNG_SECTION_FIXED 16u
#define TW_PCAPNG_PACKET_FIXED  20u

/* Data and options are padded to 32 bits. */
#define TW_PCAPNG_PADDED(n) (((size_t)(n) + 3) & ~(size_t)3)

#endif
