/* SPDX-License-Identifier: MIT */
/*
 * The common course of most commands: analyse each capture, print one document, check --fail-on.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "command.h"

/* A command's own analysis options. */
struct document {
    enum tcpwhy_document kind;
    bool keep_exchanges, keep_spans;
    bool rows_are_streams; /* --limit is one of connections */
};

enum exit_code document_run(const struct args *args, const struct document *document);

/* Options that every analysis shares. */
struct tcpwhy_options document_options(const struct args *args);

/* Analyse a capture. @return its report; or NULL when it could not be, which has been said, with
 * *code to end with. */
tcpwhy_report *document_report(const char *capture, const struct tcpwhy_options *options,
                               enum exit_code *code);

/*
 * Read the one capture of a command that prints while it reads, by the options' callbacks.
 * @return its report; or NULL when it was not read to its end, with *code to end with: it could not
 *         be, which has been said, or the output cannot be written, which is said at the end.
 */
tcpwhy_report *document_read(const struct args *args, const struct tcpwhy_options *options,
                             enum exit_code *code);

/* The names of the servers up to that stream, a line a stream that has one: read after its frames,
 * so they come last. */
void document_names(const struct args *args, const tcpwhy_report *report, uint32_t highest);

/* Say on stderr why a capture could not be analysed. */
void document_complain(const char *error);

#endif
