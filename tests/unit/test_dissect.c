/* SPDX-License-Identifier: MIT */
/* Dissection of IP and ICMP: lengths, fragments, routes, errors; and of TCP's own header. */
#include "tests/unit/test_dissect_frame.h"

#include "dissect/checksum.h"

#define PAD "000000000000 "

/* TCP with 16 of its bytes only, for errors that quote little. */
#define TCP_16 "c350 0050 00000001 00000002 8018 01f5 "
#define TCP_8  "c350 0050 00000001 "

#define ICMP4(type_code, rest)                                                                     \
    ETH "4500 0000 0000 0000 ff01 0000 c0a80009 0a000001 " type_code " 0000 " rest " "
#define ICMP6(type_code, rest)                                                                     \
    ETH6 "60000000 0054 3a ff fd000000000000000000000000000009 "                                   \
         "fd000000000000000000000000000001 " type_code " 0000 " rest " "

static struct tw_dissection dissect(const char *hex)
{
    struct tw_dissection d;

    test_dissect(1, hex, &d);
    return d;
}

TEST(padding_is_not_payload)
{
    struct tw_dissection d = dissect(ETH IP4 TCP PAD);

    test_is_the_segment(&d.segment);
    assert_int_equal(d.segment.payload.len, 4);
    assert_int_equal(d.segment.facts, 0);
    d = dissect(ETH6 IP6 TCP PAD);
    test_is_the_segment(&d.segment);
    assert_int_equal(d.segment.facts, 0);
}

TEST(an_ip_length_of_0_takes_the_length_of_the_frame)
{
    struct test_frame f = test_frame(ETH "4500 0000 1234 4000 4006 0000 0a000001 0a000002 " TCP);
    struct tw_dissection d;

    test_dissect_cut(1, &f, f.len, f.len, &d);
    assert_int_equal(d.segment.len, 4);
    assert_int_equal(d.segment.facts, TW_SEG_NO_IP_LENGTH);
    test_dissect_cut(1, &f, f.len, 70000, &d);
    assert_int_equal(d.segment.len, 70000 - 14 - 20 - 32);
    assert_int_equal(d.segment.payload.len, 4);
    assert_int_equal(d.segment.facts, TW_SEG_NO_IP_LENGTH | TW_SEG_PAYLOAD_CUT);
    free(f.bytes);
    d = dissect(ETH6 IP6_OF("06", "0000") TCP);
    assert_int_equal(d.segment.len, 4);
    assert_int_equal(d.segment.facts, TW_SEG_NO_IP_LENGTH);
}

TEST(an_ip_length_beyond_the_frame_counts_to_its_end)
{
    struct tw_dissection d = dissect(ETH "4500 0800 1234 4000 4006 0000 0a000001 0a000002 " TCP);

    assert_int_equal(d.kind, TW_FRAME_TCP);
    assert_int_equal(d.segment.len, 4);
    assert_int_equal(d.segment.facts, TW_SEG_LONGER);
    d = dissect(ETH6 IP6_OF("06", "0800") TCP);
    assert_int_equal(d.segment.len, 4);
    assert_int_equal(d.segment.facts, TW_SEG_LONGER);
}

TEST(a_record_that_holds_more_than_it_claims_counts_what_it_holds)
{
    struct test_frame f = test_frame(ETH IP4 TCP);
    struct tw_dissection d;

    assert_int_equal(test_dissect_cut(1, &f, f.len, 10, &d), TW_FRAME_TCP);
    test_is_the_segment(&d.segment);
    free(f.bytes);
}

TEST(an_ip_header_that_cannot_be_is_malformed)
{
    assert_int_equal(dissect(ETH "4400 0038 1234 4000 4006 0000 0a000001 0a000002 " TCP).kind,
                     TW_FRAME_MALFORMED);
    assert_int_equal(dissect(ETH "4500 0013 1234 4000 4006 0000 0a000001 0a000002 " TCP).kind,
                     TW_FRAME_MALFORMED);
    assert_int_equal(dissect(ETH "4f00 0038 1234 4000 4006 0000 0a000001 0a000002 " TCP).kind,
                     TW_FRAME_MALFORMED);
    assert_int_equal(dissect(ETH6 IP4 TCP).kind, TW_FRAME_MALFORMED);
}

TEST(options_of_ip_are_stepped_over)
{
    struct tw_dissection d =
        dissect(ETH "4602 003c 1234 4000 4006 0000 0a000001 0a000002 94040000 " TCP);

    test_is_the_segment(&d.segment);
}

TEST(a_source_route_ends_in_the_real_destination)
{
    struct tw_dissection d = dissect(
        ETH "4802 0044 1234 4000 4006 0000 0a000001 0a000009 01 830b04 0a000005 0a000007 " TCP);

    assert_int_equal(d.segment.tuple.address[1][3], 7);
    d = dissect(ETH
                "4802 0044 1234 4000 4006 0000 0a000001 0a000009 01 830b0c 0a000005 0a000007 " TCP);
    assert_int_equal(d.segment.tuple.address[1][3], 9);
    d = dissect(
        ETH6 IP6_OF("2b", "003c") "0602 0001 00000000 fd000000000000000000000000000077 " TCP);
    assert_int_equal(d.segment.tuple.address[1][15], 0x77);
    d = dissect(
        ETH6 IP6_OF("2b", "003c") "0602 0000 00000000 fd000000000000000000000000000077 " TCP);
    assert_int_equal(d.segment.tuple.address[1][15], 2);
    d = dissect(ETH6 IP6_OF("2b", "004c") "0604 0401 01000000 fd000000000000000000000000000077 "
                                          "fd000000000000000000000000000078 " TCP);
    assert_int_equal(d.segment.tuple.address[1][15], 0x77);
}

TEST(hostile_ip_options_end)
{
    assert_int_equal(
        dissect(ETH "4602 003c 1234 4000 4006 0000 0a000001 0a000002 83000000 " TCP).kind,
        TW_FRAME_TCP);
    assert_int_equal(
        dissect(ETH "4602 003c 1234 4000 4006 0000 0a000001 0a000002 010183ff " TCP).kind,
        TW_FRAME_TCP);
    assert_int_equal(
        dissect(ETH "4602 003c 1234 4000 4006 0000 0a000001 0a000002 83030400 " TCP).kind,
        TW_FRAME_TCP);
}

TEST(fragments_are_left_to_others)
{
    const char *first = ETH "4502 0038 1234 2000 4006 0000 0a000001 0a000002 " TCP;
    struct test_frame f = test_frame(first);
    struct tw_dissection d;

    assert_int_equal(dissect(first).kind, TW_FRAME_FRAGMENT);
    assert_int_equal(dissect(ETH "4502 0038 1234 0001 4006 0000 0a000001 0a000002 " TCP).kind,
                     TW_FRAME_FRAGMENT);
    assert_int_equal(dissect(ETH "4502 0038 1234 0001 4011 0000 0a000001 0a000002 " TCP).kind,
                     TW_FRAME_OTHER);
    assert_int_equal(dissect(ETH6 IP6_OF("2c", "002c") "0600 0001 00000001 " TCP).kind,
                     TW_FRAME_FRAGMENT);
    assert_int_equal(dissect(ETH6 IP6_OF("2c", "002c") "0600 0008 00000001 " TCP).kind,
                     TW_FRAME_FRAGMENT);
    /* A cut one can never be put together: its headers are all there will be. */
    assert_int_equal(test_dissect_cut(1, &f, f.len - 1, f.len, &d), TW_FRAME_TCP);
    assert_int_equal(d.segment.facts, TW_SEG_NO_LENGTH);
    assert_int_equal(d.segment.len, 0);
    free(f.bytes);
}

TEST(endless_extension_headers_are_given_up)
{
    struct test_frame header = test_frame(ETH6 IP6_OF("3c", "ffff"));
    struct test_frame f = { calloc(1, 65000), 65000 };
    struct tw_dissection d;

    memcpy(f.bytes, header.bytes, header.len);
    for (size_t i = header.len; i + 8 <= f.len; i += 8)
        f.bytes[i] = 60;
    assert_int_equal(test_dissect_cut(1, &f, f.len, f.len, &d), TW_FRAME_MALFORMED);
    assert_int_equal(test_dissect_cut(1, &f, 2000, f.len, &d), TW_FRAME_CUT_SHORT);
    f.bytes[header.len + 1] = 255; /* a long one */
    test_dissect_cut(1, &f, 200, f.len, &d);
    assert_int_equal(d.kind, TW_FRAME_CUT_SHORT);
    free(header.bytes);
    free(f.bytes);
}

TEST(an_error_tells_its_kind_and_what_it_quotes)
{
    struct tw_dissection d = dissect(ICMP4("0304", "00000578") IP4 TCP);

    assert_int_equal(d.kind, TW_FRAME_ICMP);
    assert_int_equal(d.icmp, TW_ICMP_TOO_BIG);
    assert_int_equal(d.icmp_code, 4);
    assert_int_equal(d.icmp_mtu, 1400);
    assert_int_equal(d.icmp_from[3], 9);
    test_is_the_segment(&d.segment);
    assert_int_equal(d.segment.facts, TW_SEG_QUOTED);
    assert_int_equal(dissect(ICMP4("0301", "00000000") IP4 TCP).icmp, TW_ICMP_UNREACHABLE);
    assert_int_equal(dissect(ICMP4("0b00", "00000000") IP4 TCP).icmp, TW_ICMP_TIME_EXCEEDED);
    assert_int_equal(dissect(ICMP4("0400", "00000000") IP4 TCP).icmp, TW_ICMP_OTHER);
    assert_int_equal(dissect(ICMP4("0800", "00000000") IP4 TCP).kind, TW_FRAME_OTHER);
}

TEST(an_error_of_ipv6_tells_the_same)
{
    struct tw_dissection d = dissect(ICMP6("0200", "00000500") IP6 TCP);

    assert_int_equal(d.kind, TW_FRAME_ICMP);
    assert_int_equal(d.icmp, TW_ICMP_TOO_BIG);
    assert_int_equal(d.icmp_mtu, 1280);
    assert_int_equal(d.icmp_from[15], 9);
    test_is_the_segment(&d.segment);
    assert_int_equal(dissect(ICMP6("0100", "00000000") IP6 TCP).icmp, TW_ICMP_UNREACHABLE);
    assert_int_equal(dissect(ICMP6("0300", "00000000") IP6 TCP).icmp, TW_ICMP_TIME_EXCEEDED);
    assert_int_equal(dissect(ICMP6("0400", "00000000") IP6 TCP).icmp, TW_ICMP_OTHER);
    assert_int_equal(dissect(ICMP6("8000", "00000000") IP6 TCP).kind, TW_FRAME_OTHER);
}

TEST(a_short_quote_keeps_what_it_has)
{
    struct tw_dissection d = dissect(ICMP4("0301", "00000000") IP4 TCP_8);

    assert_int_equal(d.kind, TW_FRAME_ICMP);
    assert_int_equal(d.segment.tuple.port[0], 50000);
    assert_int_equal(d.segment.seq, 1);
    assert_int_equal(d.segment.header_len, 0);
    d = dissect(ICMP4("0301", "00000000") IP4 TCP_16);
    assert_int_equal(d.segment.ack, 2);
    assert_int_equal(d.segment.header_len, 32);
    /* The length of the quoted segment follows from its IP header. */
    assert_int_equal(d.segment.len, 4);
    assert_true(d.segment.facts & TW_SEG_HEADER_CUT);
    d = dissect(ICMP4("0301", "00000000") IP4 "c350 0050 0000 ");
    assert_int_not_equal(d.kind, TW_FRAME_ICMP);
}

TEST(a_header_length_that_cannot_be_leaves_the_segment)
{
    const char *start = ETH "4500 002c 1234 4000 4006 0000 0a000001 0a000002 "
                            "c350 0050 00000001 00000002 ";
    const char *rest = "018 01f5 0000 0000 61626364 ";
    char hex[256];

    for (int words = 0; words < 16; words++) {
        snprintf(hex, sizeof(hex), "%s%x%s", start, (unsigned)words, rest);

        struct tw_dissection d = dissect(hex);

        assert_int_equal(d.kind, TW_FRAME_TCP);
        assert_int_equal(d.segment.header_len, words * 4);
        assert_int_equal(d.segment.len, words <= 6 ? 24 - words * 4 : 0);
        assert_int_equal(d.segment.facts & TW_SEG_NO_LENGTH, words > 6 ? TW_SEG_NO_LENGTH : 0);
    }
}

/* A TCP frame with another checksum, of which 'captured' bytes are in the capture. */
static bool is_begun(uint16_t checksum, size_t captured)
{
    struct test_frame f = test_frame(ETH IP4 TCP);
    struct tw_dissection d;
    bool begun;

    f.bytes[14 + 20 + 16] = (uint8_t)(checksum >> 8);
    f.bytes[14 + 20 + 17] = (uint8_t)checksum;
    tw_dissect(NULL, 1, tw_bytes(f.bytes, captured), (uint32_t)f.len, &d);
    begun = tw_checksum_is_begun(&d.segment);
    free(f.bytes);
    return begun;
}

/* Protocol 6, 36 bytes, 10.0.0.1 and 10.0.0.2. */
#define PSEUDO (6 + 36 + 0x0a00 + 1 + 0x0a00 + 2)

TEST(a_checksum_of_the_pseudo_header_alone_is_begun)
{
    const size_t headers = 14 + 20 + 32;

    assert_true(is_begun(PSEUDO, headers + 4));
    assert_false(is_begun(PSEUDO + 1, headers + 4));
    assert_false(is_begun(0xd83a, headers + 4)); /* the right one */
    /* The payload has no part in it; a header that is not there cannot be asked. */
    assert_true(is_begun(PSEUDO, headers));
    assert_false(is_begun(PSEUDO, headers - 1));
}

/* Without options and data, with a sequence number that makes the two the same. */
TEST(a_right_checksum_may_look_begun)
{
    const uint16_t pseudo = 6 + 20 + 0x0a00 + 1 + 0x0a00 + 2;
    struct test_frame f = test_frame(ETH "4500 0028 1234 4000 4006 0000 0a000001 0a000002 "
                                         "0000 0000 00000000 00000000 5010 0000 0000 0000");
    uint8_t *tcp = f.bytes + 14 + 20;
    struct tw_dissection d;

    tcp[16] = pseudo >> 8;
    tcp[17] = pseudo & 0xff;
    tw_dissect(NULL, 1, tw_bytes(f.bytes, f.len), (uint32_t)f.len, &d);
    assert_true(tw_checksum_is_begun(&d.segment));
    /* The complement to a sum of all ones. */
    tcp[4] = (uint16_t)(0xffff - 2 * pseudo - 0x5010) >> 8;
    tcp[5] = (0xffff - 2 * pseudo - 0x5010) & 0xff;
    tw_dissect(NULL, 1, tw_bytes(f.bytes, f.len), (uint32_t)f.len, &d);
    assert_false(tw_checksum_is_begun(&d.segment));
    free(f.bytes);
}

/* The sum of RFC 1071, word by word, over all behind the first 12 bytes of an IPv4 header. */
static uint16_t checksum_of(const uint8_t *ip, size_t len)
{
    uint32_t sum = 6 + (uint32_t)len - 20;

    for (size_t i = 12; i < len; i++)
        sum += (uint32_t)ip[i] << (i % 2 ? 0 : 8);
    while (sum >> 16)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

TEST(a_checksum_covers_each_byte_of_payloads_of_any_length)
{
    for (uint8_t n = 0; n < 10; n++) {
        struct test_frame f = test_frame(ETH "4500 0028 1234 4000 4006 0000 0a000001 0a000002 "
                                             "c350 0050 00000001 00000002 5010 01f5 0000 0000 "
                                             "f1e2d3c4b5a697887969");
        uint8_t *ip = f.bytes + 14;
        const size_t len = 40 + (size_t)n;
        struct tw_dissection d;
        uint16_t right;

        ip[3] = (uint8_t)len;
        right = checksum_of(ip, len);
        ip[36] = (uint8_t)(right >> 8);
        ip[37] = (uint8_t)right;
        tw_dissect(NULL, 1, tw_bytes(f.bytes, 14 + len), (uint32_t)(14 + len), &d);
        assert_int_equal(d.segment.len, n);
        assert_false(tw_checksum_is_wrong(&d.segment));
        for (size_t i = 40; i < len; i++) {
            ip[i] ^= 1;
            assert_true(tw_checksum_is_wrong(&d.segment));
            ip[i] ^= 1;
        }
        free(f.bytes);
    }
}
