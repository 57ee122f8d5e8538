/* SPDX-License-Identifier: MIT */
/* Filters that name hosts open the network; no other does. */
#include "../unit.h"

#include "../../tools/tcpwhy/filter_names.h"

static void filters_of_numbers_ask_nobody(void **state)
{
    (void)state;
    assert_false(filter_names_hosts(""));
    assert_false(filter_names_hosts("tcp port 80 and not host 10.9.0.2"));
    assert_false(filter_names_hosts("(src net 10.0.0.0/8 or ip6 host fe80::1)"));
    assert_false(filter_names_hosts("ether host aa:bb:cc:dd:ee:ff"));
    assert_false(filter_names_hosts("tcp[tcpflags] & (tcp-syn|tcp-fin) != 0"));
    assert_false(filter_names_hosts("vlan 7 && len > 1400"));
}

static void names_of_services_and_protocols_ask_nobody(void **state)
{
    (void)state;
    assert_false(filter_names_hosts("port http"));
    assert_false(filter_names_hosts("ip proto ospf"));
}

static void a_name_of_a_host_asks(void **state)
{
    (void)state;
    assert_true(filter_names_hosts("host www.example.com"));
    assert_true(filter_names_hosts("tcp port 80 and not src localhost"));
    assert_true(filter_names_hosts("port http and db1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_of_numbers_ask_nobody),
        cmocka_unit_test(names_of_services_and_protocols_ask_nobody),
        cmocka_unit_test(a_name_of_a_host_asks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
