/* SPDX-License-Identifier: MIT */
#include "app/server_name.h"

#include <glib.h>

/* RFC 1035, section 2.3.4: 255 octets on the wire are 253 characters. */
#define MAX_NAME 253

static bool is_of_name(uint8_t c)
{
    return g_ascii_isalnum((gchar)c) || c == '-' || c == '.' || c == '_';
}

void tw_server_name_take(struct tw_transactions *transactions, struct tw_bytes host)
{
    char name[MAX_NAME + 1];
    bool has_letter = false;
    size_t n = 0;

    if (transactions->server_name)
        return;
    for (; n < host.len && n < MAX_NAME && is_of_name(host.data[n]); n++) {
        name[n] = g_ascii_tolower((gchar)host.data[n]);
        has_letter |= g_ascii_isalpha(name[n]) != 0;
    }
    if (!has_letter || (n < host.len && host.data[n] != ':'))
        return;
    name[n] = '\0';
    transactions->server_name = tw_transactions_keep(transactions, name);
}
