/* SPDX-License-Identifier: MIT */
/* Answers as a page of HTML that needs no other, in the style of the report's. */
#ifndef QUERY_PAGE_H
#define QUERY_PAGE_H

#include "../output.h"
#include "ask.h"

/* The head, and what the archive holds. */
void page_begin(sqlite3 *db, const char *path, struct output *output);
/* A section. @return false when it cannot be asked; that has been said. */
bool page_answer(sqlite3 *db, const char *path, const struct question *question,
                 const struct parameters *parameters, struct output *output);
void page_end(struct output *output);

#endif
