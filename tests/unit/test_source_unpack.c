/* SPDX-License-Identifier: MIT */
/* Compressed captures: whole, cut at every byte, spoilt at every byte, and with things behind. */
#include "tests/unit.h"

#include "tests/unit/capture.h"

#include <tcpwhy/tcpwhy.h>

#include "source/codec.h"

/* A pcap with one frame, "ping" at one second, by each of the formats' own tools. */
static const struct packed {
    const char *name;
    size_t len;
    const char *bytes;
} packed[] = {
    { "gzip", 45,
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xbb\x72\x78\xd3\x42\x26\x06\x16\x06\x18\xf8\xff"
      "\x9f\x81\x81\x91\x01\x82\x41\x80\x05\x8a\x0b\x32\xf3\xd2\x01\x8f\xc2\x10\xca\x2c\x00\x00"
      "\x00" },
    { "zstd", 46,
      "\x28\xb5\x2f\xfd\x04\x68\x0d\x01\x00\xb8\xd4\xc3\xb2\xa1\x02\x00\x04\x00\xff\xff\x00\x00"
      "\x01\x00\x00\x00\x01\x00\x04\x70\x69\x6e\x67\x03\x00\x6e\x16\x60\x20\x02\x70\x01\x9f\x0b"
      "\x36\xf4" },
    { "lz4", 54,
      "\x04\x22\x4d\x18\x64\x40\xa7\x23\x00\x00\x00\x84\xd4\xc3\xb2\xa1\x02\x00\x04\x00\x01\x00"
      "\x62\xff\xff\x00\x00\x01\x00\x04\x00\x00\x10\x00\x00\x1a\x00\x80\x04\x00\x00\x00\x70\x69"
      "\x6e\x67\x00\x00\x00\x00\x7e\x85\x4e\x10" },
    { "xz", 88,
      "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x16\x00\x00\x00\x74\x2f"
      "\xe5\xa3\xe0\x00\x2b\x00\x1b\x5d\x00\x6a\x30\xd1\xc8\x7d\x8b\xf8\x09\x9b\xad\x94\x4b\x8a"
      "\xf2\xff\xfa\x2a\x4a\xbd\x49\xc5\xe1\x3c\x00\x74\xf1\x00\x00\x00\x69\x1e\xb1\x08\x13\x0a"
      "\x7c\xe6\x00\x01\x37\x2c\xfc\x79\x59\x82\x1f\xb6\xf3\x7d\x01\x00\x00\x00\x00\x04\x59"
      "\x5a" },
};

static bool built_in(const struct packed *p)
{
    for (const struct tw_codec *const *codec = tw_codecs; *codec; codec++)
        if (strcmp((*codec)->name, p->name) == 0)
            return true;
    return false;
}

static struct capture of(const struct packed *p)
{
    struct capture c = capture_new(false);

    put(&c, p->bytes, p->len);
    return c;
}

typedef void check_fn(const struct packed *p);

static void for_each(check_fn *check)
{
    for (size_t i = 0; i < G_N_ELEMENTS(packed); i++)
        if (built_in(&packed[i]))
            check(&packed[i]);
}

static void expect_ping(struct capture *c)
{
    struct tw_source *source = capture_open(c);

    expect_frame(source, 1, INT64_C(1000000000), "ping");
    expect_end(source);
    assert_int_equal(fact_count(source, TW_SOURCE_CUT_SHORT), 0);
    assert_int_equal(fact_count(source, TW_SOURCE_BAD_ARCHIVE), 0);
    tw_source_close(source);
    capture_free(c);
}

static void check_whole(const struct packed *p)
{
    struct capture c = of(p);

    expect_ping(&c);
}

static void check_trailer(const struct packed *p)
{
    struct capture c = of(p);

    put_zeros(&c, 512);
    put(&c, "what else the tape held", 23);
    expect_ping(&c);
}

/* The number of frames of the capture; -1: refused. Closes the capture. */
static int frames_of(struct capture *c, uint64_t *cut, uint64_t *bad, struct tw_source_error *error)
{
    struct tw_source *source =
        tw_source_open_memory(tw_bytes(c->bytes->data, c->bytes->len), NULL, error);
    struct tw_frame frame;
    int n = -1;

    if (source)
        for (n = 0; tw_source_next(source, &frame) > 0;)
            n++;
    *cut = source ? fact_count(source, TW_SOURCE_CUT_SHORT) : 0;
    *bad = source ? fact_count(source, TW_SOURCE_BAD_ARCHIVE) : 0;
    tw_source_close(source);
    capture_free(c);
    return n;
}

static void check_cuts(const struct packed *p)
{
    for (size_t len = 8; len < p->len; len++) {
        struct tw_source_error error = { 0 };
        struct capture c = capture_new(false);
        uint64_t cut, bad;

        put(&c, p->bytes, len);
        int n = frames_of(&c, &cut, &bad, &error);

        assert_true(n <= 1);
        if (n < 0)
            assert_non_null(strstr(error.text, "cut short"));
        else
            assert_int_equal(cut, 1);
        assert_int_equal(bad, 0);
    }
}

static void check_damage(const struct packed *p)
{
    for (size_t at = 0; at < p->len; at++) {
        struct tw_source_error error = { 0 };
        struct capture c = of(p);
        uint64_t cut, bad;

        c.bytes->data[at] ^= 0x55;
        int n = frames_of(&c, &cut, &bad, &error);

        assert_true(n <= 1 || cut + bad > 0);
        assert_true(n >= 0 || error.code == TCPWHY_ERR_FORMAT);
    }
}

static void check_checksum(const struct packed *p)
{
    static const struct {
        const char *name;
        size_t from_end;
    } checksums[] = { { "gzip", 8 }, { "zstd", 1 }, { "lz4", 1 }, { "xz", 22 } };

    for (size_t i = 0; i < G_N_ELEMENTS(checksums); i++) {
        struct tw_source_error error = { 0 };
        struct capture c;
        uint64_t cut, bad;

        if (strcmp(checksums[i].name, p->name) != 0)
            continue;
        c = of(p);
        c.bytes->data[p->len - checksums[i].from_end] ^= 1;
        /* Some decoders give a block only when its checksum holds. */
        if (frames_of(&c, &cut, &bad, &error) < 0)
            assert_non_null(strstr(error.text, "damaged"));
        else
            assert_int_equal(bad, 1);
    }
}

TEST(a_compressed_capture_is_read_as_it_is)
{
    for_each(check_whole);
}

TEST(bytes_behind_the_last_member_are_ignored)
{
    for_each(check_trailer);
}

TEST(a_member_cut_short_is_read_to_the_cut)
{
    for_each(check_cuts);
}

TEST(a_damaged_member_is_read_to_the_damage)
{
    for_each(check_damage);
}

TEST(a_checksum_that_does_not_hold_is_told)
{
    for_each(check_checksum);
}

/* The dictionary that the block header claims, 4 GiB, is not allocated. */
TEST(a_member_that_wants_too_much_memory_is_refused)
{
    static const struct packed hungry[] = {
        { "zstd", 14, "\x28\xb5\x2f\xfd\x00\xa8\x0d\x01\x00\xb8\xd4\xc3\xb2\xa1" },
        { "xz", 36,
          "\xfd\x37\x7a\x58\x5a\x00\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x28\x00\x00\x00"
          "\xe6\xa0\x11\xb3\xe0\x00\x2b\x00\x1b\x5d\x00\x6a\x30\xd1\xc8\x7d" },
    };

    for (size_t i = 0; i < G_N_ELEMENTS(hungry); i++) {
        struct tw_source_error error = { 0 };
        struct capture c = of(&hungry[i]);
        uint64_t cut, bad;

        if (!built_in(&hungry[i])) {
            capture_free(&c);
            continue;
        }
        assert_int_equal(frames_of(&c, &cut, &bad, &error), -1);
        assert_non_null(strstr(error.text, "larger window"));
    }
}
