/* SPDX-License-Identifier: MIT */
/* A database whose file somebody else may have made: its schema runs nothing. */
#ifndef BATCH_GUARD_H
#define BATCH_GUARD_H

#include <sqlite3.h>

/* Views, triggers and functions of the schema are refused, and sizes bounded. */
void guard_database(sqlite3 *db);

#endif
