/* SPDX-License-Identifier: MIT */
/* A question to an archive: opened for reading, its parameters filled in. */
#ifndef QUERY_ASK_H
#define QUERY_ASK_H

#include <sqlite3.h>

#include <tcpwhy/tcpwhy.h>

#include "questions.h"

/* Everything that a question may depend on. */
struct parameters {
    int64_t limit;
    int64_t date_utc_ns; /* TCPWHY_NS_UNKNOWN: not given */
    const char *cause;   /* "": any */
};

const struct question *question_by_name(const char *name);
bool question_needs_date(const struct question *question);
bool question_takes_cause(const struct question *question);

/*
 * Open an archive that may be anybody's.
 *
 * @param most_ns  for all that is asked of it; 0: ten minutes.
 * @param end_us   to keep the time in, as long as it is open.
 * @return NULL when it is no archive of ours; that has been said.
 */
sqlite3 *ask_open(const char *path, tcpwhy_ns most_ns, int64_t *end_us);

/* Look whether the tables that a question reads are whole; NULL: those that any reads. @return
 * false when not; that has been said. */
bool ask_check(sqlite3 *db, const char *path, const struct question *question);

/* SQLite's last words. */
const char *ask_error(sqlite3 *db);

/* NULL when it cannot be asked; that has been said. */
sqlite3_stmt *ask(sqlite3 *db, const char *path, const struct question *question,
                  const struct parameters *parameters);

#endif
