/* SPDX-License-Identifier: MIT */
/*
 * Bounded reads, the only access to packet and file bytes. A read past the end gives 0; callers
 * check with tw_bytes_has() once per header.
 */
#ifndef TW_BASE_BYTES_H
#define TW_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tw_bytes {
    const uint8_t *data;
    size_t len;
};

static inline struct tw_bytes tw_bytes(const uint8_t *data, size_t len)
{
    return (struct tw_bytes) { data, len };
}

static inline bool tw_bytes_has(struct tw_bytes b, size_t offset, size_t n)
{
    return offset <= b.len && n <= b.len - offset;
}

/* The bytes after offset; empty if offset is past the end. */
static inline struct tw_bytes tw_bytes_from(struct tw_bytes b, size_t offset)
{
    return offset < b.len ? tw_bytes(b.data + offset, b.len - offset) : tw_bytes(b.data, 0);
}

/* At most the first n bytes. */
static inline struct tw_bytes tw_bytes_first(struct tw_bytes b, size_t n)
{
    return tw_bytes(b.data, b.len < n ? b.len : n);
}

/* For bytes known to be present; compilers emit one load and a byte swap. */
static inline uint16_t tw_load_be16(const uint8_t *p)
{
    return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t tw_load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static inline uint32_t tw_load_le32(const uint8_t *p)
{
    return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

static inline uint8_t tw_u8(struct tw_bytes b, size_t offset)
{
    return tw_bytes_has(b, offset, 1) ? b.data[offset] : 0;
}

/* One bounds check per read. */
static inline uint16_t tw_be16(struct tw_bytes b, size_t offset)
{
    return tw_bytes_has(b, offset, 2) ? tw_load_be16(b.data + offset) : 0;
}

static inline uint32_t tw_be32(struct tw_bytes b, size_t offset)
{
    return tw_bytes_has(b, offset, 4) ? tw_load_be32(b.data + offset) : 0;
}

static inline uint64_t tw_be64(struct tw_bytes b, size_t offset)
{
    return (uint64_t)tw_be32(b, offset) << 32 | tw_be32(b, offset + 4);
}

static inline uint16_t tw_le16(struct tw_bytes b, size_t offset)
{
    const uint8_t *p = b.data + offset;

    return tw_bytes_has(b, offset, 2) ? (uint16_t)(p[1] << 8 | p[0]) : 0;
}

static inline uint32_t tw_le32(struct tw_bytes b, size_t offset)
{
    return tw_bytes_has(b, offset, 4) ? tw_load_le32(b.data + offset) : 0;
}

static inline uint64_t tw_le64(struct tw_bytes b, size_t offset)
{
    return (uint64_t)tw_le32(b, offset + 4) << 32 | tw_le32(b, offset);
}

#endif
