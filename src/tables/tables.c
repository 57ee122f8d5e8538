/* SPDX-License-Identifier: MIT */
/* List of tables, and the identity of a capture. */
#include "base/counts.h"
#include "base/sha256.h"
#include "tables/tables.h"

#include <stdio.h>
#include <string.h>

static const struct tw_table *const tables[] = {
    [TCPWHY_TABLE_CAPTURES] = &tw_table_captures,
    [TCPWHY_TABLE_CONNECTIONS] = &tw_table_connections,
    [TCPWHY_TABLE_EXCHANGES] = &tw_table_exchanges,
    [TCPWHY_TABLE_FINDINGS] = &tw_table_findings,
    [TCPWHY_TABLE_LEDGER] = &tw_table_ledger,
    [TCPWHY_TABLE_FAILURES] = &tw_table_failures,
};

const struct tw_table *tw_table(enum tcpwhy_table table)
{
    return (unsigned)table < TW_N_TABLES ? tables[table] : NULL;
}

size_t tcpwhy_table_count(void)
{
    return TW_N_TABLES;
}

const char *tcpwhy_table_name(enum tcpwhy_table table)
{
    const struct tw_table *t = tw_table(table);

    return t ? t->name : "";
}

bool tcpwhy_table_by_name(const char *name, enum tcpwhy_table *out)
{
    for (int i = 0; name && out && i < TW_N_TABLES; i++) {
        if (strcmp(tables[i]->name, name) == 0) {
            *out = (enum tcpwhy_table)i;
            return true;
        }
    }
    return false;
}

char *tcpwhy_capture_id(const char *path, char *text)
{
    uint8_t digest[TW_SHA256_BYTES];

    if (!path || !text)
        return NULL;
    tw_sha256((const uint8_t *)path, strlen(path), digest);
    for (size_t i = 0; i < TCPWHY_CAPTURE_ID_TEXT / 2; i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    return text;
}
