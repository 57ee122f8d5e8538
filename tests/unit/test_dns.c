/* SPDX-License-Identifier: MIT */
/* DNS messages, well made and hostile. */
#include "tests/unit.h"

#include <string.h>

#include "names/dns.h"

/* Id 7, a response with one question (www.Test, A) and one answer: a pointer, A, 192.0.2.80. */
static const uint8_t answer[] = { 0,   7,   0x81, 0x80, 0,   1,   0,   1,  0, 0, 0,   0, 3,    'w',
                                  'w', 'w', 4,    'T',  'e', 's', 't', 0,  0, 1, 0,   1, 0xc0, 12,
                                  0,   1,   0,    1,    0,   0,   0,   60, 0, 4, 192, 0, 2,    80 };

static struct tw_dns_message message;

static bool read_bytes(const uint8_t *bytes, size_t len)
{
    return tw_dns_read(tw_bytes(bytes, len), &message);
}

TEST(an_answer_gives_its_name_and_address)
{
    assert_true(read_bytes(answer, sizeof answer));
    assert_int_equal(message.id, 7);
    assert_true(message.response);
    assert_false(message.truncated);
    assert_int_equal(message.code, TW_DNS_NO_ERROR);
    assert_string_equal(message.name, "www.test");
    assert_int_equal(message.type, TW_DNS_A);
    assert_int_equal(message.n_addresses, 1);
    assert_int_equal(message.address[0].version, 4);
    assert_int_equal(message.address[0].address[3], 80);
}

TEST(an_answer_cut_short_gives_what_it_holds)
{
    assert_true(read_bytes(answer, sizeof answer - 1));
    assert_int_equal(message.n_addresses, 0);
    for (size_t len = 0; len < 26; len++)
        assert_false(read_bytes(answer, len));
}

TEST(a_pointer_to_itself_ends)
{
    uint8_t loop[sizeof answer];

    memcpy(loop, answer, sizeof loop);
    loop[12] = 0xc0;
    loop[13] = 12;
    assert_false(read_bytes(loop, sizeof loop));
}

TEST(a_reserved_label_is_no_name)
{
    uint8_t bad[sizeof answer];

    memcpy(bad, answer, sizeof bad);
    bad[12] = 0x80;
    assert_false(read_bytes(bad, sizeof bad));
}

TEST(other_operations_are_no_lookups)
{
    uint8_t update[sizeof answer];

    memcpy(update, answer, sizeof update);
    update[2] |= 5 << 3;
    assert_false(read_bytes(update, sizeof update));
    memcpy(update, answer, sizeof update);
    update[5] = 2;
    assert_false(read_bytes(update, sizeof update));
}

TEST(bytes_that_are_no_letters_are_escaped)
{
    uint8_t odd[sizeof answer];

    memcpy(odd, answer, sizeof odd);
    odd[13] = 0x1b;
    odd[14] = '.';
    assert_true(read_bytes(odd, sizeof odd));
    assert_string_equal(message.name, "\\027\\046w.test");
}

TEST(the_longest_name_fits)
{
    uint8_t query[12 + 256 + 4] = { 0, 1, 1, 0, 0, 1 };
    size_t at = 12;

    for (int i = 0; i < 127; i++) {
        query[at++] = 1;
        query[at++] = 0xff;
    }
    query[at++] = 0;
    assert_true(read_bytes(query, at + 4));
    assert_int_equal(strlen(message.name), 127 * 4 + 126);
    assert_false(message.response);
}
