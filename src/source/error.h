/* SPDX-License-Identifier: MIT */
/* Why a capture cannot be read. */
#ifndef TW_SOURCE_ERROR_H
#define TW_SOURCE_ERROR_H

#include <stdbool.h>

/* Reason for failure: one sentence without the file name. */
struct tw_source_error {
    int code; /* TCPWHY_ERR_* */
    char text[256];
};

/* Fill error. @return false, for use in return statements. */
__attribute__((format(printf, 3, 4))) bool tw_source_refuse(struct tw_source_error *error, int code,
                                                            const char *text, ...);

#endif
