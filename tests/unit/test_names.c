/* SPDX-License-Identifier: MIT */
/* Names that leave the program: endpoints, causes, parties. */
#include "base/counts.h"
#include "tests/unit.h"

#include <string.h>

#include <tcpwhy/types.h>

TEST(an_ipv4_endpoint_is_address_colon_port)
{
    struct tcpwhy_endpoint e = { .address = { 10, 9, 0, 2 }, .port = 8080, .version = 4 };
    char text[TCPWHY_ENDPOINT_TEXT];

    assert_string_equal(tcpwhy_endpoint_format(&e, text), "10.9.0.2:8080");
    e.port = 0;
    assert_string_equal(tcpwhy_endpoint_format(&e, text), "10.9.0.2");
}

TEST(an_ipv6_endpoint_has_brackets_only_with_a_port)
{
    struct tcpwhy_endpoint e = { .address = { 0x20, 0x01, 0x0d, 0xb8, [15] = 1 },
                                 .port = 443,
                                 .version = 6 };
    char text[TCPWHY_ENDPOINT_TEXT];

    assert_string_equal(tcpwhy_endpoint_format(&e, text), "[2001:db8::1]:443");
    e.port = 0;
    assert_string_equal(tcpwhy_endpoint_format(&e, text), "2001:db8::1");
}

TEST(no_endpoint_is_an_empty_text)
{
    struct tcpwhy_endpoint e = { 0 };
    char text[TCPWHY_ENDPOINT_TEXT] = "x";

    assert_string_equal(tcpwhy_endpoint_format(&e, text), "");
}

TEST(every_cause_is_found_by_its_name)
{
    enum tcpwhy_cause found;

    for (int i = 0; i < TW_N_CAUSES; i++) {
        const struct tcpwhy_cause_info *info = tcpwhy_cause_info((enum tcpwhy_cause)i);

        assert_int_equal(info->cause, i);
        assert_true(tcpwhy_cause_by_name(info->name, &found));
        assert_int_equal(found, i);
        assert_true(strlen(info->title) > 0 && strlen(info->title) < 60);
        assert_non_null(info->what);
        assert_non_null(info->decided);
        assert_non_null(info->unlike);
        assert_non_null(info->confirm);
        assert_non_null(info->mend);
    }
    assert_string_equal(tcpwhy_cause_info(TCPWHY_NAGLE_DELAYED_ACK)->name, "nagle_delayed_ack");
    assert_string_equal(tcpwhy_cause_info(TCPWHY_CAUSE_NONE)->name, "none");
}

TEST(blameless_causes_make_no_findings)
{
    assert_true(tcpwhy_cause_makes_findings(TCPWHY_NAGLE_DELAYED_ACK));
    assert_true(tcpwhy_cause_makes_findings(TCPWHY_CONNECT_REFUSED));
    assert_false(tcpwhy_cause_makes_findings(TCPWHY_CAUSE_NONE));
    assert_false(tcpwhy_cause_makes_findings(TCPWHY_WIRE));
    assert_false(tcpwhy_cause_makes_findings(TCPWHY_RESET));
    assert_false(tcpwhy_cause_makes_findings((enum tcpwhy_cause)tcpwhy_cause_count()));
    assert_false(tcpwhy_cause_makes_findings(TCPWHY_CAUSE_ANY));
}

TEST(an_unknown_cause_name_is_not_found)
{
    enum tcpwhy_cause cause = TCPWHY_WIRE;

    assert_null(tcpwhy_cause_info((enum tcpwhy_cause)tcpwhy_cause_count()));
    assert_null(tcpwhy_cause_info(TCPWHY_CAUSE_ANY));
    assert_false(tcpwhy_cause_by_name("nagle", &cause));
    assert_int_equal(cause, TCPWHY_WIRE);
}

TEST(words_of_the_small_enumerations_are_those_of_the_documents)
{
    assert_string_equal(tcpwhy_party_name(TCPWHY_PARTY_PATH), "path");
    assert_string_equal(tcpwhy_party_name(TCPWHY_PARTY_NONE), "none");
    assert_string_equal(tcpwhy_confidence_name(TCPWHY_CERTAIN), "certain");
    assert_string_equal(tcpwhy_confidence_name(TCPWHY_AMBIGUOUS), "ambiguous");
    assert_string_equal(tcpwhy_vantage_name(TCPWHY_VANTAGE_MIDDLE), "middle");
    assert_string_equal(tcpwhy_vantage_name(TCPWHY_VANTAGE_UNKNOWN), "unknown");
}
