/* SPDX-License-Identifier: MIT */
/* Builds captures in memory, in either byte order, right and wrong ones. */
#ifndef TW_TESTS_CAPTURE_H
#define TW_TESTS_CAPTURE_H

#include <stdbool.h>
#include <string.h>

#include <glib.h>

#include "base/array.h"
#include "source/source.h"

struct capture {
    tw_byte_array *bytes;
    bool big_endian;
    struct tw_source *source; /* of capture_source() */
};

static inline struct capture capture_new(bool big_endian)
{
    return (struct capture) { tw_byte_array_new(), big_endian, NULL };
}

static inline void capture_free(struct capture *c)
{
    tw_source_close(c->source);
    tw_byte_array_free(c->bytes, TRUE);
}

/* Each begins with a capture of its own, `c`. */
#define CAPTURE_TEST(name, make) TEST_WITH(name, struct capture, c, *c = make, capture_free(c))

static inline void put(struct capture *c, const void *data, size_t len)
{
    tw_byte_array_append(c->bytes, data, (guint)len);
}

static inline void put_number(struct capture *c, uint64_t value, int n)
{
    for (int i = 0; i < n; i++) {
        uint8_t byte = (uint8_t)(value >> 8 * (c->big_endian ? n - 1 - i : i));

        put(c, &byte, 1);
    }
}

static inline void put16(struct capture *c, uint16_t value)
{
    put_number(c, value, 2);
}

static inline void put32(struct capture *c, uint32_t value)
{
    put_number(c, value, 4);
}

static inline void put_zeros(struct capture *c, size_t n)
{
    while (n-- > 0)
        put(c, "", 1);
}

static inline void pcap_header(struct capture *c, uint32_t magic, uint32_t link_type)
{
    put32(c, magic);
    put16(c, 2);
    put16(c, 4);
    put32(c, 0);
    put32(c, 0);
    put32(c, 65535);
    put32(c, link_type);
}

static inline void pcap_record(struct capture *c, uint32_t seconds, uint32_t fraction,
                               const char *data)
{
    put32(c, seconds);
    put32(c, fraction);
    put32(c, (uint32_t)strlen(data));
    put32(c, (uint32_t)strlen(data) + 100);
    put(c, data, strlen(data));
}

/* A pcapng block lies between these two; the first says where it began. */
static inline guint block_begin(struct capture *c, uint32_t type)
{
    guint at = c->bytes->len;

    put32(c, type);
    put32(c, 0);
    return at;
}

static inline void block_end(struct capture *c, guint at)
{
    struct capture len = capture_new(c->big_endian);

    put_zeros(c, (4 - c->bytes->len % 4) % 4);
    put32(&len, c->bytes->len - at + 4);
    put(c, len.bytes->data, 4);
    memcpy(c->bytes->data + at + 4, len.bytes->data, 4);
    capture_free(&len);
}

static inline void put_option(struct capture *c, uint16_t code, const void *value, size_t len)
{
    put16(c, code);
    put16(c, (uint16_t)len);
    put(c, value, len);
    put_zeros(c, (4 - len % 4) % 4);
}

static inline guint section_begin(struct capture *c)
{
    guint at = block_begin(c, 0x0a0d0d0a);

    put32(c, 0x1a2b3c4d);
    put16(c, 1);
    put16(c, 0);
    put_number(c, UINT64_MAX, 8);
    return at;
}

static inline void section(struct capture *c)
{
    block_end(c, section_begin(c));
}

static inline guint interface_begin(struct capture *c, uint16_t link_type, uint32_t snap_len)
{
    guint at = block_begin(c, 1);

    put16(c, link_type);
    put16(c, 0);
    put32(c, snap_len);
    return at;
}

static inline void interface(struct capture *c, uint16_t link_type, uint32_t snap_len)
{
    block_end(c, interface_begin(c, link_type, snap_len));
}

static inline guint packet_begin(struct capture *c, uint32_t id, uint64_t units, const char *data)
{
    guint at = block_begin(c, 6);

    put32(c, id);
    put32(c, (uint32_t)(units >> 32));
    put32(c, (uint32_t)units);
    put32(c, (uint32_t)strlen(data));
    put32(c, (uint32_t)strlen(data) + 100);
    put(c, data, strlen(data));
    put_zeros(c, (4 - strlen(data) % 4) % 4);
    return at;
}

static inline void packet(struct capture *c, uint32_t id, uint64_t units, const char *data)
{
    block_end(c, packet_begin(c, id, units, data));
}

static inline struct tw_source *capture_open(const struct capture *c)
{
    struct tw_source_error error = { 0, "" };
    struct tw_source *source =
        tw_source_open_memory(tw_bytes(c->bytes->data, c->bytes->len), NULL, &error);

    if (!source)
        fail_msg("refused: %s", error.text);
    return source;
}

/* Closed with the capture. */
static inline struct tw_source *capture_source(struct capture *c)
{
    return c->source = capture_open(c);
}

static inline uint64_t fact_count(const struct tw_source *source, enum tw_source_fact_kind kind)
{
    size_t n;
    const struct tw_source_fact *fact = tw_source_facts(source, &n);

    for (size_t i = 0; i < n; i++)
        if (fact[i].kind == kind)
            return fact[i].count;
    return 0;
}

static inline void expect_frame(struct tw_source *source, uint32_t number, int64_t time_ns,
                                const char *data)
{
    struct tw_frame frame;

    assert_int_equal(tw_source_next(source, &frame), 1);
    assert_int_equal(frame.number, number);
    assert_int_equal(frame.time_ns, time_ns);
    assert_int_equal(frame.bytes.len, strlen(data));
    assert_memory_equal(frame.bytes.data, data, strlen(data));
}

static inline void expect_end(struct tw_source *source)
{
    struct tw_frame frame;

    assert_int_equal(tw_source_next(source, &frame), 0);
    assert_int_equal(tw_source_next(source, &frame), 0);
}

#endif
