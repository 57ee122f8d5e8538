/* SPDX-License-Identifier: MIT */
#include "tests/unit.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"

TEST(thousands_are_parted_by_commas)
{
    assert_string_equal(tw_count(0).text, "0");
    assert_string_equal(tw_count(999).text, "999");
    assert_string_equal(tw_count(1000).text, "1,000");
    assert_string_equal(tw_count(17376).text, "17,376");
    assert_string_equal(tw_count(UINT64_MAX).text, "18,446,744,073,709,551,615");
}

TEST(every_nanosecond_survives_with_six_decimals)
{
    assert_string_equal(tw_fixed(44012345, 6, 6, false).text, "44.012345");
    assert_string_equal(tw_fixed(1, 6, 6, false).text, "0.000001");
    assert_string_equal(tw_fixed(-1, 6, 6, false).text, "-0.000001");
    assert_string_equal(tw_fixed(INT64_MAX, 6, 6, false).text, "9223372036854.775807");
    assert_string_equal(tw_fixed(INT64_MIN, 6, 6, false).text, "-9223372036854.775808");
}

TEST(decimals_are_rounded_half_away_from_zero)
{
    assert_string_equal(tw_fixed(44049999, 6, 1, false).text, "44.0");
    assert_string_equal(tw_fixed(44050000, 6, 1, false).text, "44.1");
    assert_string_equal(tw_fixed(-44050000, 6, 1, false).text, "-44.1");
    assert_string_equal(tw_fixed(999999999, 6, 0, true).text, "1,000");
    assert_string_equal(tw_fixed(-400000, 6, 0, false).text, "0");
}

TEST(a_duration_has_three_digits_and_its_unit)
{
    assert_string_equal(tw_duration(0).text, "0.000 ms");
    assert_string_equal(tw_duration(30).text, "30 ns");
    assert_string_equal(tw_duration(1000).text, "0.001 ms");
    assert_string_equal(tw_duration(TCPWHY_US(412)).text, "0.412 ms");
    assert_string_equal(tw_duration(TCPWHY_US(4120)).text, "4.12 ms");
    assert_string_equal(tw_duration(TCPWHY_MS(44)).text, "44.0 ms");
    assert_string_equal(tw_duration(TCPWHY_MS(860)).text, "860 ms");
    assert_string_equal(tw_duration(TCPWHY_MS(3210)).text, "3.21 s");
    assert_string_equal(tw_duration(TCPWHY_S(599)).text, "599 s");
    assert_string_equal(tw_duration(TCPWHY_S(725)).text, "12 min 5 s");
    assert_string_equal(tw_duration(TCPWHY_S(7260)).text, "2 h 1 min");
    assert_string_equal(tw_duration(TCPWHY_S(90000)).text, "1 d 1 h");
}

TEST(a_duration_never_rounds_into_the_next_unit)
{
    assert_string_equal(tw_duration(999999).text, "1.00 ms");
    assert_string_equal(tw_duration(TCPWHY_US(9999)).text, "10.0 ms");
    assert_string_equal(tw_duration(TCPWHY_US(99990)).text, "100 ms");
    assert_string_equal(tw_duration(TCPWHY_US(999999)).text, "1.00 s");
}

TEST(an_unknown_number_is_a_dash)
{
    assert_string_equal(tw_duration(TCPWHY_NS_UNKNOWN).text, "-");
    assert_string_equal(tw_ms(TCPWHY_NS_UNKNOWN, 1).text, "-");
    assert_string_equal(tw_seconds(TCPWHY_NS_UNKNOWN, 3).text, "-");
    assert_string_equal(tw_date(TCPWHY_NS_UNKNOWN).text, "-");
}

TEST(a_trace_is_not_nothing)
{
    assert_string_equal(tw_percent(0).text, "0%");
    assert_string_equal(tw_percent(0.0001).text, "<0.1%");
    assert_string_equal(tw_percent(0.034).text, "3.4%");
    assert_string_equal(tw_percent(0.0996).text, "10%");
    assert_string_equal(tw_percent(0.923).text, "92%");
    assert_string_equal(tw_percent(0.4545).text, "45%");
    assert_string_equal(tw_percent(1).text, "100%");
}

TEST(bytes_have_decimal_units)
{
    assert_string_equal(tw_byte_size(237).text, "237 B");
    assert_string_equal(tw_byte_size(2730).text, "2.73 kB");
    assert_string_equal(tw_byte_size(59500).text, "59.5 kB");
    assert_string_equal(tw_byte_size(1234567890).text, "1.23 GB");
    assert_string_equal(tw_byte_size(UINT64_MAX).text, "18,446,744 TB");
}

TEST(reals_are_as_short_as_json_allows)
{
    assert_string_equal(tw_real(0).text, "0");
    assert_string_equal(tw_real(-0.0).text, "0");
    assert_string_equal(tw_real(16384).text, "16384");
    assert_string_equal(tw_real(0.5).text, "0.5");
    assert_string_equal(tw_real(1e300).text, "1e+300");
}

static void assert_real_as_printf_has_it(double value)
{
    char expected[TW_SHORT_TEXT];

    snprintf(expected, sizeof(expected), "%.9g", value);
    assert_string_equal(tw_real(value).text, expected);
}

TEST(reals_have_the_nine_digits_that_printf_gives_them)
{
    for (int whole = 1; whole < 3000; whole++) {
        for (int parts = 2; parts < 100; parts++)
            assert_real_as_printf_has_it((double)whole / parts);
        for (int power = -12; power < 6; power++)
            assert_real_as_printf_has_it(whole * pow(10, power));
    }
}

TEST(reals_beside_a_half_are_rounded_as_printf_does)
{
    for (int nine = 100000000; nine < 999999999; nine += 1234567) {
        for (int power = -13; power < 0; power++) {
            double half = (nine + 0.5) * pow(10, power);

            assert_real_as_printf_has_it(half);
            assert_real_as_printf_has_it(nextafter(half, 0));
            assert_real_as_printf_has_it(nextafter(half, 1e9));
        }
    }
    assert_real_as_printf_has_it(0.99999999949);
    assert_real_as_printf_has_it(0.9999999996);
    assert_real_as_printf_has_it(99999999.96);
    assert_real_as_printf_has_it(0.000099999999996);
    assert_real_as_printf_has_it(12345678.25);
    assert_real_as_printf_has_it(12345678.75);
    assert_real_as_printf_has_it(-0.25);
}

TEST(times_before_the_epoch_have_a_date_too)
{
    assert_string_equal(tw_date(0).text, "1970-01-01 00:00:00 UTC");
    assert_string_equal(tw_date(-1).text, "1969-12-31 23:59:59 UTC");
    assert_string_equal(tw_date(INT64_MAX).text, "2262-04-11 23:47:16 UTC");
}

TEST(a_column_has_one_unit_and_no_digits_that_say_nothing)
{
    assert_string_equal(tw_column(TCPWHY_MS(12), TCPWHY_MS(900)).text, "12.0");
    assert_string_equal(tw_column(TCPWHY_MS(12), TCPWHY_S(99)).text, "0.012");
    assert_string_equal(tw_column(TCPWHY_S(6166), TCPWHY_S(8000)).text, "6,166");
    assert_string_equal(tw_column(TCPWHY_US(300), TCPWHY_S(100)).text, "<0.001");
    assert_string_equal(tw_column(0, TCPWHY_S(100)).text, "0.000");
}

TEST(a_part_is_written_in_the_unit_of_its_whole)
{
    assert_string_equal(tw_part(TCPWHY_MS(632), TCPWHY_S(3)).text, "0.632 s");
    assert_string_equal(tw_part(TCPWHY_MS(632), TCPWHY_MS(900)).text, "632 ms");
    assert_string_equal(tw_part(TCPWHY_S(725), TCPWHY_S(900)).text, "725 s");
    assert_string_equal(tw_part(TCPWHY_S(725), 0).text, "12 min 5 s");
    /* a whole that is written as 1.00 s */
    assert_string_equal(tw_part(TCPWHY_MS(12), TCPWHY_US(999600)).text, "0.012 s");
    assert_string_equal(tw_part(TCPWHY_NS_UNKNOWN, TCPWHY_S(3)).text, "-");
}

TEST(rates_have_three_digits_and_their_unit)
{
    assert_string_equal(tw_bit_rate(999).text, "999 bit/s");
    assert_string_equal(tw_bit_rate(459000).text, "459 kbit/s");
    assert_string_equal(tw_bit_rate(8000000).text, "8.00 Mbit/s");
    assert_string_equal(tw_bit_rate(INT64_C(25000000000)).text, "25.0 Gbit/s");
}
