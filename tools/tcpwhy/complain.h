/* SPDX-License-Identifier: MIT */
/* What goes to standard error. */
#ifndef COMPLAIN_H
#define COMPLAIN_H

/*
 * "tcpwhy: FILE: what, and what to do" in one line. Names of files are hostile as those in captures
 * are: what moves a terminal's cursor or turns its text around is written out.
 */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
