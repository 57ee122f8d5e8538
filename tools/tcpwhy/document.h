/* SPDX-License-Identifier: MIT */
/*
 * What most commands do: analyse each capture, print one document of it, look at --fail-on.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "command.h"

/* What a command asks of the analysis beyond the common options. */
struct document {
    enum tcpwhy_document kind;
    bool keep_exchanges, keep_spans;
};

enum exit_code document_run(const struct args *args, const struct document *document);

/* Options that every analysis shares. */
struct tcpwhy_options document_options(const struct args *args);

/* Does the report hold what --fail-on names? */
bool document_fails(const struct args *args, const tcpwhy_report *report);

/* Say on stderr why a capture could not be analysed. */
void document_complain(const char *error);

#endif
