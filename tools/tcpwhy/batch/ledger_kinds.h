/* SPDX-License-Identifier: MIT */
/*
 * The texts of the ledger in a SQLite archive: few hundred combinations of cause, party, sender,
 * confidence and rival, each stored once, with a number that the ledger's rows have instead.
 */
#ifndef BATCH_LEDGER_KINDS_H
#define BATCH_LEDGER_KINDS_H

#include <glib.h>
#include <sqlite3.h>

#include "rows.h"

/* The columns of the table "ledger" that a kind holds. */
#define KIND_FIRST_COLUMN 2
#define KIND_N_COLUMNS    5

#define LEDGER_KINDS_TABLE                                                                         \
    "CREATE TABLE IF NOT EXISTS ledger_kinds (kind INTEGER PRIMARY KEY, cause TEXT NOT NULL, "     \
    "party TEXT NOT NULL, sender TEXT NOT NULL, confidence TEXT NOT NULL, rival TEXT)"

/* The ledger as docs/schema.md describes it; each row's kind is looked up, not the other way. */
#define LEDGER_VIEW                                                                                \
    "VIEW IF NOT EXISTS ledger AS SELECT r.capture_id, r.stream, k.cause, k.party, k.sender, "     \
    "k.confidence, k.rival, r.cost_ms, r.intervals, r.first_utc_ns FROM ledger_rows AS r "         \
    "CROSS JOIN ledger_kinds AS k WHERE k.kind = r.kind"

struct ledger_kinds {
    sqlite3_stmt *insert;
    GHashTable *numbers; /* the texts of a kind: its number, as a pointer */
};

/* Read the kinds of an archive. @return false when SQLite could not. */
bool ledger_kinds_open(struct ledger_kinds *kinds, sqlite3 *db);
/* The number of the current row's kind, which is stored if it is new; -1 when SQLite could not. */
int64_t ledger_kinds_number(struct ledger_kinds *kinds, const struct rows *ledger);
void ledger_kinds_close(struct ledger_kinds *kinds);

#endif
