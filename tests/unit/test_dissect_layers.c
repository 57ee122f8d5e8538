/* SPDX-License-Identifier: MIT */
/* Every way that leads to TCP: link types, tags and tunnels, whole and cut anywhere. */
#include "tests/unit/test_dissect_frame.h"

#define LLC_IP   "aaaa03 000000 0800 "
#define WLAN     "0802 0000 " MACS "020000000003 1000 "
#define ZEROS_20 "0000000000000000000000000000000000000000 "
#define ICV      "00000000000000000000000000000000 "

static const struct {
    const char *what;
    uint32_t link_type;
    const char *hex;
} ways[] = {
    { "Ethernet, IPv4", 1, ETH IP4 TCP },
    { "Ethernet, IPv6", 1, ETH6 IP6 TCP },
    { "Ethernet, IPv6 under the type of IPv4", 1, ETH IP6 TCP },
    { "802.3 with SNAP", 1, MACS "0040 " LLC_IP IP4 TCP },
    { "802.3 with a bare service point", 1, MACS "003b 060603 " IP4 TCP },
    { "802.1Q", 1, MACS "8100 0064 0800 " IP4 TCP },
    { "802.1Q around 802.3", 1, MACS "8100 0064 0040 " LLC_IP IP4 TCP },
    { "802.1ad", 1, MACS "88a8 0064 8100 0065 86dd " IP6 TCP },
    { "stacked tags of old", 1, MACS "9100 0064 9200 0065 8100 0066 0800 " IP4 TCP },
    { "VN-tag", 1, MACS "8926 00000000 0800 " IP4 TCP },
    { "802.1BR", 1, MACS "893f 000000000000 0800 " IP4 TCP },
    { "HSR", 1, MACS "892f 00000000 0800 " IP4 TCP },
    { "802.1CB", 1, MACS "f1c1 0000 0001 0800 " IP4 TCP },
    { "Cisco's metadata", 1, MACS "8909 01 01 0001 0064 0800 " IP4 TCP },
    { "Arista's tag, 64 bits", 1, MACS "d28b 0001 0010 0000000000000000 0800 " IP4 TCP },
    { "Arista's tag, 48 bits", 1, MACS "d28b 0001 0120 000000000000 0800 " IP4 TCP },
    { "Arista's tag, another one", 1, MACS "d28b 0002 0800 " IP4 TCP },
    { "TRILL", 1, MACS "22f3 0003 0001 0002 " ETH IP4 TCP },
    { "TRILL, options", 1, MACS "22f3 0043 0001 0002 00000000 " ETH IP4 TCP },
    { "FabricPath", 1, MACS "8903 0001 " ETH IP4 TCP },
    { "B.A.T.M.A.N.", 1, MACS "4305 40 0f 32 01 020000000005 " ETH IP4 TCP },
    { "B.A.T.M.A.N., four addresses", 1,
      MACS "4305 42 0f 32 01 020000000005 020000000006 01 00 " ETH IP4 TCP },
    { "jumbo frame with 802.2", 1, MACS "8870 " LLC_IP IP4 TCP },
    { "802.1ah", 1, MACS "88e7 00000000 " ETH IP4 TCP },
    { "PPPoE", 1, MACS "8864 1100 0001 003a 0021 " IP4 TCP },
    { "PPPoE, IPv6", 1, MACS "8864 1100 0001 004e 0057 " IP6 TCP },
    { "MPLS", 1, MACS "8847 00064040 00065140 " IP4 TCP },
    { "MPLS, IPv6", 1, MACS "8847 00065140 " IP6 TCP },
    { "MPLS, explicit null", 1, MACS "8847 00000140 " IP4 TCP },
    { "MPLS, explicit null of IPv6", 1, MACS "8848 00002140 " IP6 TCP },
    { "MPLS pseudowire", 1, MACS "8847 00065140 00000001 " ETH IP4 TCP },
    { "MPLS pseudowire, no control word", 1,
      MACS "8847 00065140 001b21000002 001b21000001 0800 " IP4 TCP },
    { "cooked", 113, "0000 0001 0006 0200000000010000 0800 " IP4 TCP },
    { "cooked, IPv6", 113, "0000 0001 0006 0200000000010000 86dd " IP6 TCP },
    { "cooked, 802.2", 113, "0000 0001 0006 0200000000010000 0004 " LLC_IP IP4 TCP },
    { "cooked, PPP", 113, "0000 0200 0000 0000000000000000 0007 0021 " IP4 TCP },
    { "cooked, VLAN", 113, "0000 0001 0006 0200000000010000 8100 0064 0800 " IP4 TCP },
    { "cooked 2", 276, "0800 0000 00000001 0001 00 06 0200000000010000 " IP4 TCP },
    { "loopback, little", 0, "02000000 " IP4 TCP },
    { "loopback, big", 0, "00000002 " IP4 TCP },
    { "loopback, IPv6 of NetBSD", 0, "18000000 " IP6 TCP },
    { "loopback, IPv6 of FreeBSD", 0, "0000001c " IP6 TCP },
    { "loopback, IPv6 of Darwin", 0, "1e000000 " IP6 TCP },
    { "loopback, Ethernet type", 0, "00080000 " IP4 TCP },
    { "OpenBSD loopback", 108, "00000002 " IP4 TCP },
    { "OpenBSD loopback, IPv6", 108, "00000018 " IP6 TCP },
    { "raw", 101, IP4 TCP },
    { "raw, IPv6", 101, IP6 TCP },
    { "raw, BSD's number", 12, IP4 TCP },
    { "raw, OpenBSD's number", 14, IP6 TCP },
    { "IPV4", 228, IP4 TCP },
    { "IPV6", 229, IP6 TCP },
    { "PPP", 9, "ff03 0021 " IP4 TCP },
    { "PPP, protocol compressed", 9, "ff03 21 " IP4 TCP },
    { "PPP, both compressed", 9, "57 " IP6 TCP },
    { "PPP as HDLC", 50, "ff03 0021 " IP4 TCP },
    { "PPP, Cisco's HDLC inside", 50, "0f00 0800 " IP4 TCP },
    { "PPP, multilink", 9, "ff03 003d c0000001 0021 " IP4 TCP },
    { "PPP, 802.2", 9, "ff03 004b " LLC_IP IP4 TCP },
    { "Cisco HDLC", 104, "0f00 0800 " IP4 TCP },
    { "frame relay", 107, "1841 03 cc " IP4 TCP },
    { "frame relay, IPv6", 107, "1841 03 8e " IP6 TCP },
    { "frame relay, SNAP", 107, "1841 03 00 80 000000 0800 " IP4 TCP },
    { "frame relay, PPP", 107, "1841 03 cf 0021 " IP4 TCP },
    { "frame relay, Cisco", 107, "1841 0800 " IP4 TCP },
    { "token ring", 6, "1040 020000000002 020000000001 " LLC_IP IP4 TCP },
    { "token ring, routed", 6, "1040 020000000002 820000000001 0610 0011 0020 " LLC_IP IP4 TCP },
    { "FDDI", 10, "50 020000000002 020000000001 " LLC_IP IP4 TCP },
    { "ARCNET", 7, "0102 d4 00 0001 " IP4 TCP },
    { "ARCNET, RFC 1051", 7, "0102 f0 " IP4 TCP },
    { "ARCNET of Linux", 129, "0102 0000 d4 00 0001 " IP4 TCP },
    { "ARCNET of Linux, IPv6", 129, "0102 0000 c4 00 0001 " IP6 TCP },
    { "802.11", 105, WLAN LLC_IP IP4 TCP },
    { "802.11, quality of service", 105,
      "8802 0000 " MACS "020000000003 1000 0000 " LLC_IP IP4 TCP },
    { "802.11, four addresses", 105,
      "0803 0000 " MACS "020000000003 1000 020000000004 " LLC_IP IP4 TCP },
    { "802.11, aggregated", 105,
      "8802 0000 " MACS "020000000003 1000 8000 " MACS "0040 " LLC_IP IP4 TCP },
    { "radiotap", 127, "0000 0800 00000000 0802 0000 " MACS "020000000003 1000 " LLC_IP IP4 TCP },
    { "radiotap, padded", 127,
      "0000 1900 030000a0 00000000 00000000 00000000 00000000 20 "
      "8802 0000 " MACS "020000000003 1000 0000 0000 " LLC_IP IP4 TCP },
    { "Prism", 119,
      "44000000 0c000000 00000000 0802 0000 " MACS "020000000003 1000 " LLC_IP IP4 TCP },
    { "AVS", 163,
      "80211001 0000000c 00000000 0802 0000 " MACS "020000000003 1000 " LLC_IP IP4 TCP },
    { "PPI", 192, "0000 0800 69000000 0802 0000 " MACS "020000000003 1000 " LLC_IP IP4 TCP },
    { "NFLOG", 239, "02 00 0000 0800 0100 08000000 0500 0a00 61000000 3c00 0900 " IP4 TCP },
    { "NFLOG, big", 239, "02 00 0000 0008 0001 08000000 003c 0009 " IP4 TCP },
    { "InfiniBand", 242,
      "0000000000000000000000000000000000000000 0000000000000000000000000000000000000000 "
      "0800 0000 " IP4 TCP },
    { "IEEE 1394", 138, "0000000000000002 0000000000000001 0800 " IP4 TCP },
    { "netlink, NFLOG", 253,
      "0004 0338 0000 0000000000000000 000c 58000000 0004 0000 00000000 00000000 "
      "02 00 0000 0800 0100 08000000 3c00 0900 " IP4 TCP },
    { "netlink, big", 253,
      "0004 0338 0000 0000000000000000 000c 00000058 0400 0000 00000000 00000000 "
      "02 00 0000 0008 0001 08000000 003c 0009 " IP4 TCP },
    { "SLIP", 8, "00000000000000000000000000000000 " IP4 TCP },
    { "PPP over Ethernet alone", 51, "1100 0001 003a 0021 " IP4 TCP },
    { "ATM", 100, LLC_IP IP4 TCP },
    { "SLIP of BSD/OS", 102, "000000000000000000000000000000000000000000000000 " IP4 TCP },
    { "ATM of Linux", 106, LLC_IP IP4 TCP },
    { "ATM of Linux, bare", 106, IP4 TCP },
    { "SunATM", 123, "82 00 0023 " LLC_IP IP4 TCP },
    { "OpenBSD's encapsulation", 109, "02000000 00001000 00000000 " IP4 TCP },
    { "packet filter log", 117, "07 02 0000 00000000 " IP4 TCP },
    { "Fibre Channel", 122, "1000000000000002 1000000000000001 " LLC_IP IP4 TCP },
    { "PPP of pppd", 166, "00 03 0021 " IP4 TCP },
    { "PPP with direction", 204, "00 ff03 0021 " IP4 TCP },
    { "Cisco HDLC with direction", 205, "01 0f00 0800 " IP4 TCP },
    { "frame relay with direction", 206, "01 1841 03 cc " IP4 TCP },
    { "Solaris' IPNET", 226, "010200000000000000000000000000000000000000000000 " IP4 TCP },
    { "netANALYZER", 240, "00000000 " ETH IP4 TCP },
    { "netANALYZER, transparent", 241, "00000000 55555555555555d5 " ETH IP4 TCP },
    { "PKTAP", 258, "10000000 01000000 01000000 00000000 " ETH IP4 TCP },
    { "EPON", 259, "5555d55500000000 " ETH IP4 TCP },
    { "mPacket", 274, "55555555555555d5 " ETH IP4 TCP },
    { "TZSP", 128, "0100 0001 01 " ETH IP4 TCP },
    { "Juniper, Ethernet", 178, "4d4743 00 " ETH IP4 TCP },
    { "Juniper, extended", 178, "4d4743 81 0004 00000000 " ETH IP4 TCP },
    { "Juniper, no link layer", 178, "4d4743 02 02000000 " IP4 TCP },
    { "Juniper, PPP", 179, "4d4743 00 ff03 0021 " IP4 TCP },
    { "Juniper, frame relay", 180, "4d4743 00 1841 03 cc " IP4 TCP },
    { "Juniper, Cisco HDLC", 181, "4d4743 00 0f00 0800 " IP4 TCP },
    { "ERF", 197, "0000000000000000 02 04 0058 0000 0046 0000 " ETH IP4 TCP },
    { "ERF, extended", 197,
      "0000000000000000 82 04 0060 0000 0046 0100000000000000 0000 " ETH IP4 TCP },
    { "ERF, IP", 197, "0000000000000000 16 04 0048 0000 0038 " IP4 TCP },
    { "ERF, HDLC", 197, "0000000000000000 01 04 004c 0000 0040 0f00 0800 " IP4 TCP },
    { "exported, IP", 252, "000c 0004 69700000 0000 0000 " IP4 TCP },
    { "exported, Ethernet", 252,
      "000c 0010 6574685f776974686f75746663730000 0000 0000 " ETH IP4 TCP },
    { "Broadcom's tag", 281, MACS "20000003 0800 " IP4 TCP },
    { "Broadcom's tag before the frame", 282, "20000003 " ETH IP4 TCP },
    { "Marvell's tag", 283, MACS "4018 0001 0800 " IP4 TCP },
    { "Marvell's tag with a type", 284, MACS "dada 0000 4018 0001 0800 " IP4 TCP },
    { "IP in IP", 101, OUTER4("04") IP4 TCP },
    { "IPv6 in IPv4", 101, OUTER4("29") IP6 TCP },
    { "IPv4 in IPv6", 101, IP6_OF("04", "0038") IP4 TCP },
    { "authentication header", 101,
      IP6_OF("33", "003c") "0604 0000 00000001 00000001 000000000000000000000000 " TCP },
    { "Ethernet in IP", 101, OUTER4("8f") ETH IP4 TCP },
    { "EtherIP", 101, OUTER4("61") "3000 " ETH IP4 TCP },
    { "GRE", 101, OUTER4("2f") "0000 0800 " IP4 TCP },
    { "GRE, every field", 101, OUTER4("2f") "b000 86dd 00000000 00000001 00000002 " IP6 TCP },
    { "GRE, Ethernet", 101, OUTER4("2f") "2000 6558 00000001 " ETH IP4 TCP },
    { "GRE, source route", 101,
      OUTER4("2f") "4000 0800 00000000 0800 00 04 0a000003 0000 00 00 " IP4 TCP },
    { "PPTP", 101, OUTER4("2f") "3081 880b 003c 0001 00000001 00000001 ff03 0021 " IP4 TCP },
    { "WCCP", 101, OUTER4("2f") "0000 883e 00000000 " IP4 TCP },
    { "WCCP, first version", 101, OUTER4("2f") "0000 883e " IP4 TCP },
    { "Aruba", 101, OUTER4("2f") "0000 8200 0802 0000 " MACS "020000000003 1000 " LLC_IP IP4 TCP },
    { "GRE, frame relay", 101, OUTER4("2f") "0000 6559 1841 03 cc " IP4 TCP },
    { "ERSPAN I", 101, OUTER4("2f") "2000 88be 00000001 " ETH IP4 TCP },
    { "ERSPAN II", 101, OUTER4("2f") "1000 88be 00000001 1001 0001 00000000 " ETH IP4 TCP },
    { "ERSPAN III", 101,
      OUTER4(
          "2f") "1000 22eb 00000001 2001 0001 00000000 00000001 00000000 00000000 " ETH IP4 TCP },
    { "GRE in UDP", 101, OUTER_UDP("1292") "0000 0800 " IP4 TCP },
    { "MPLS in UDP", 101, OUTER_UDP("19eb") "00065140 " IP4 TCP },
    { "VXLAN", 101, OUTER_UDP("12b5") "08000000 00000100 " ETH IP4 TCP },
    { "VXLAN-GPE", 101, OUTER_UDP("12b6") "0c000001 00000100 " IP4 TCP },
    { "NSH", 1, MACS "894f 0fc2 0201 00000100 " IP4 TCP },
    { "Geneve", 101, OUTER_UDP("17c1") "0100 6558 00000100 0102 0300 " ETH IP4 TCP },
    { "Geneve, IPv6", 101, OUTER_UDP("17c1") "0000 86dd 00000100 " IP6 TCP },
    { "LISP", 101, OUTER_UDP("10f5") "c0000000 00000100 " IP6 TCP },
    { "Juniper's mirror", 101, OUTER_UDP("754e") "00000001 00000002 " IP4 TCP },
    { "AYIYA", 101, OUTER_UDP("13d0") "0252 1129 00000000 00 " ZEROS_20 IP6 TCP },
    { "TZSP in UDP", 101, OUTER_UDP("9090") "0101 0012 00 0a 01 05 01 " WLAN LLC_IP IP4 TCP },
    { "CAPWAP, Ethernet", 101, OUTER_UDP("147f") "00 100200 0000 0000 " ETH IP4 TCP },
    { "CAPWAP, 802.11", 101, OUTER_UDP("147f") "00 100300 0000 0000 " WLAN LLC_IP IP4 TCP },
    { "CAPWAP, 802.11 of Cisco", 101,
      OUTER_UDP("147f") "00 200310 0000 0000 04 01020304 000000 0208 0000 " MACS
                        "020000000003 1000 " LLC_IP IP4 TCP },
    { "GTP", 101, OUTER_UDP("0868") "30ff 0038 00000001 " IP4 TCP },
    { "GTP, extended", 101, OUTER_UDP("0868") "34ff 0054 00000001 0000 00 85 01 0000 00 " IP6 TCP },
    { "L2TP", 101, OUTER_UDP("06a5") "0002 0001 0001 ff03 0021 " IP4 TCP },
    { "L2TP, every field", 101,
      OUTER_UDP("06a5") "4a02 004a 0001 0001 0000 0000 0002 0000 0021 " IP4 TCP },
    { "Teredo", 101, OUTER_UDP("0dd8") IP6 TCP },
    { "Teredo, both headers", 101,
      OUTER_UDP("0dd8") "0001 0000 0000000000000000 00 0000 1234 00000000 " IP6 TCP },
    { "IPv6, hop by hop and destination options", 1,
      ETH6 IP6_OF("00", "003c") "3c00 050200000100 0601 0104 00000000 000000000000 0000 " TCP },
    { "IPv6, atomic fragment", 1, ETH6 IP6_OF("2c", "002c") "0600 0000 00000001 " TCP },
    { "IPv6, shim", 1, ETH6 IP6_OF("8c", "002c") "0600 000000000000 " TCP },
};

#define N_WAYS (sizeof(ways) / sizeof(ways[0]))

TEST(every_link_type_leads_to_the_segment)
{
    for (size_t i = 0; i < N_WAYS; i++) {
        struct tw_dissection d;

        print_message("%s\n", ways[i].what);
        assert_int_equal(test_dissect(ways[i].link_type, ways[i].hex, &d), TW_FRAME_TCP);
        test_is_the_segment(&d.segment);
        assert_int_equal(d.segment.facts & (TW_SEG_LONGER | TW_SEG_PAYLOAD_CUT), 0);
    }
}

TEST(a_snap_length_anywhere_is_a_fact_and_no_more)
{
    for (size_t i = 0; i < N_WAYS; i++) {
        struct test_frame f = test_frame(ways[i].hex);
        size_t needed = f.len - 36 + 16; /* TCP up to its window */
        struct tw_dissection d;

        print_message("%s\n", ways[i].what);
        for (size_t n = 0; n < needed; n++)
            assert_int_not_equal(test_dissect_cut(ways[i].link_type, &f, n, f.len, &d),
                                 TW_FRAME_TCP);
        for (size_t n = needed; n < f.len; n++) {
            assert_int_equal(test_dissect_cut(ways[i].link_type, &f, n, f.len, &d), TW_FRAME_TCP);
            assert_int_equal(d.segment.len, 4);
            assert_true(d.segment.facts & TW_SEG_PAYLOAD_CUT);
        }
        free(f.bytes);
    }
}

TEST(a_frame_that_ends_anywhere_is_read_no_further)
{
    for (size_t i = 0; i < N_WAYS; i++) {
        struct test_frame f = test_frame(ways[i].hex);
        struct tw_dissection d;

        for (size_t n = 0; n < f.len - 36 + 16; n++)
            assert_int_not_equal(test_dissect_cut(ways[i].link_type, &f, n, n, &d), TW_FRAME_TCP);
        free(f.bytes);
    }
}

TEST(every_byte_may_be_wrong)
{
    static const uint8_t wrong[] = { 0x00, 0x01, 0x0f, 0x7f, 0x80, 0xf0, 0xff };

    for (size_t i = 0; i < N_WAYS; i++) {
        struct test_frame f = test_frame(ways[i].hex);
        struct tw_dissection d;

        for (size_t n = 0; n < f.len; n++) {
            uint8_t right = f.bytes[n];

            for (size_t k = 0; k < sizeof(wrong); k++) {
                f.bytes[n] = wrong[k];
                test_dissect_cut(ways[i].link_type, &f, f.len, f.len, &d);
            }
            f.bytes[n] = right;
        }
        free(f.bytes);
    }
}

TEST(endless_tags_are_given_up)
{
    static const uint8_t tag[4] = { 0x81, 0x00, 0x00, 0x01 };
    struct test_frame f = { malloc(60000), 60000 };
    struct tw_dissection d;

    memset(f.bytes, 0, f.len);
    for (size_t i = 12; i < f.len; i += 4)
        memcpy(f.bytes + i, tag, sizeof(tag));
    assert_int_equal(test_dissect_cut(1, &f, f.len, f.len, &d), TW_FRAME_OTHER);
    free(f.bytes);
}

TEST(endlessly_nested_tunnels_are_given_up)
{
    struct test_frame outer = test_frame(OUTER4("04"));
    struct test_frame f = { malloc(200 * outer.len), 200 * outer.len };
    struct tw_dissection d;

    for (size_t i = 0; i < 200; i++)
        memcpy(f.bytes + i * outer.len, outer.bytes, outer.len);
    assert_int_equal(test_dissect_cut(101, &f, f.len, f.len, &d), TW_FRAME_OTHER);
    free(f.bytes);
    free(outer.bytes);
}

TEST(a_tunneled_segment_has_its_inner_addresses)
{
    struct tw_dissection d;

    test_dissect(101, IP6_OF("04", "0038") IP4 TCP, &d);
    assert_true(d.segment.facts & TW_SEG_TUNNEL);
    assert_int_equal(d.segment.tuple.version, 4);
    for (int i = 4; i < 16; i++)
        assert_int_equal(d.segment.tuple.address[0][i], 0);
    test_dissect(1, ETH IP4 TCP, &d);
    assert_false(d.segment.facts & TW_SEG_TUNNEL);
}

TEST(macsec_is_read_where_it_only_signs)
{
    static const char *const hex[] = { MACS
                                       "88e5 20 00 00000001 0200000000010001 0800 " IP4 TCP ICV,
                                       MACS "88e5 00 00 00000001 86dd " IP6 TCP ICV };

    for (size_t i = 0; i < sizeof hex / sizeof *hex; i++) {
        struct test_frame f = test_frame(hex[i]);
        struct tw_dissection d;

        assert_int_equal(test_dissect(1, hex[i], &d), TW_FRAME_TCP);
        test_is_the_segment(&d.segment);
        for (size_t n = 0; n < f.len - 36; n++)
            assert_int_not_equal(test_dissect_cut(1, &f, n, n, &d), TW_FRAME_TCP);
        free(f.bytes);
    }
}

TEST(a_datagram_that_is_no_tunnel_has_its_ports_and_payload)
{
    struct tw_dissection d;

    assert_int_equal(test_dissect(1, ETH IP4_OF("11") "0035 c350 001c 0000 " TCP, &d),
                     TW_FRAME_UDP);
    assert_int_equal(d.segment.tuple.port[0], 53);
    assert_int_equal(d.segment.tuple.port[1], 50000);
    assert_int_equal(d.segment.len, 20);
    assert_int_equal(d.segment.payload.len, 20);
}

TEST(frames_without_tcp_are_other)
{
    struct tw_dissection d;

    assert_int_equal(test_dissect(1, MACS "0806 0001 0800 0604 0001 ", &d), TW_FRAME_OTHER);
    assert_int_equal(test_dissect(1, MACS "0600 " IP4 TCP, &d), TW_FRAME_OTHER);
    assert_int_equal(test_dissect(1, MACS "05dd " IP4 TCP, &d), TW_FRAME_OTHER);
    assert_int_equal(test_dissect(1, MACS "0040 424203 " IP4 TCP, &d), TW_FRAME_OTHER);
    assert_int_equal(test_dissect(101, "10 00 ", &d), TW_FRAME_OTHER);
    assert_int_equal(test_dissect(105, "0842 0000 " MACS "020000000003 1000 " LLC_IP IP4 TCP, &d),
                     TW_FRAME_OTHER); /* encrypted */
    assert_int_equal(test_dissect(1, MACS "88e5 0c 00 00000001 0800 " IP4 TCP ICV, &d),
                     TW_FRAME_OTHER); /* encrypted */
    assert_int_equal(test_dissect(9, "ff03 003d 80000001 0021 " IP4 TCP, &d),
                     TW_FRAME_OTHER); /* the first fragment only */
    assert_int_equal(test_dissect(128, "0104 0001 01 " ETH IP4 TCP, &d), TW_FRAME_OTHER);
    assert_int_equal(test_dissect(101, OUTER_UDP("147f") "00 100280 0000 0000 " ETH IP4 TCP, &d),
                     TW_FRAME_OTHER); /* a fragment */
}

TEST(a_link_type_without_a_dissector_is_unsupported)
{
    struct tw_dissection d;

    assert_int_equal(test_dissect(147, ETH IP4 TCP, &d), TW_FRAME_UNSUPPORTED);
    assert_int_equal(test_dissect(0x30800, ETH IP4 TCP, &d), TW_FRAME_UNSUPPORTED);
}
