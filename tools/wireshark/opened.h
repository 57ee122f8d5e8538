/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The file that Wireshark reads. A dissector is not told; but wiretap asks every file type whether
 * a file is its own, so a file type that never says yes sees each file when it is opened.
 */
#ifndef TCPWHY_WIRESHARK_OPENED_H
#define TCPWHY_WIRESHARK_OPENED_H

#include <stdbool.h>

/* The process' own open files (Linux). Opening one of these names opens the file again, from its
 * beginning, even if it has no other name any more. */
#define OPENED_FILES "/proc/self/fd"

/* A path to the file that wiretap opened last, good as long as that file is open. */
struct opened_file {
    char path[64];
};

void opened_register(void);

/* @return false when no file was opened, or it cannot be told which. */
bool opened_last(struct opened_file *out);

#endif
