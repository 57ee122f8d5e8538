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

static void an_answer_gives_its_name_and_address(void **state)
{
    (void)state;
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

static void an_answer_cut_short_gives_what_it_holds(void **state)
{
    (void)state;
    assert_true(read_bytes(answer, sizeof answer - 1));
    assert_int_equal(message.n_addresses, 0);
    for (size_t len = 0; len < 26; len++)
        assert_false(read_bytes(answer, len));
}

static void a_pointer_to_itself_ends(void **state)
{
    uint8_t loop[sizeof answer];

    (void)state;
    memcpy(loop, answer, sizeof loop);
    loop[12] = 0xc0;
    loop[13] = 12;
    assert_false(read_bytes(loop, sizeof loop));
}

static void a_reserved_label_is_no_name(void **state)
{
    uint8_t bad[sizeof answer];

    (void)state;
    memcpy(bad, answer, sizeof bad);
    bad[12] = 0x80;
    assert_false(read_bytes(bad, sizeof bad));
}

static void other_operations_are_no_lookups(void **state)
{
    uint8_t update[sizeof answer];

    (void)state;
    memcpy(update, answer, sizeof update);
    update[2] |= 5 << 3;
    assert_false(read_bytes(update, sizeof update));
    memcpy(update, answer, sizeof update);
    update[5] = 2;
    assert_false(read_bytes(update, sizeof update));
}

static void bytes_that_are_no_letters_are_escaped(void **state)
{
    uint8_t odd[sizeof answer];

    (void)state;
    memcpy(odd, answer, sizeof odd);
    odd[13] = 0x1b;
    odd[14] = '.';
    assert_true(read_bytes(odd, sizeof odd));
    assert_string_equal(message.name, "\\027\\046w.test");
}

static void the_longest_name_fits(void **state)
{
    uint8_t query[12 + 256 + 4] = { 0, 1, 1, 0, 0, 1 };
    size_t at = 12;

    (void)state;
    for (int i = 0; i < 127; i++) {
        query[at++] = 1;
        query[at++] = 0xff;
    }
    query[at++] = 0;
    assert_true(read_bytes(query, at + 4));
    assert_int_equal(strlen(message.name), 127 * 4 + 126);
    assert_false(message.response);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_answer_gives_its_name_and_address),
        cmocka_unit_test(an_answer_cut_short_gives_what_it_holds),
        cmocka_unit_test(a_pointer_to_itself_ends),
        cmocka_unit_test(a_reserved_label_is_no_name),
        cmocka_unit_test(other_operations_are_no_lookups),
        cmocka_unit_test(bytes_that_are_no_letters_are_escaped),
        cmocka_unit_test(the_longest_name_fits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
