/* SPDX-License-Identifier: MIT */
/*
 * One kind of failure: a file in kinds/ and a line in this folder's meson.build. The first that
 * claims a connection has it.
 */
#ifndef TW_FAILURES_KIND_H
#define TW_FAILURES_KIND_H

#include "failures/cut.h"

struct tw_failure_detector {
    enum tcpwhy_failure_kind kind;
    /* @return whether the connection failed so; then *out is complete. */
    bool (*find)(const struct tw_cut *cut, struct tw_failure *out);
};

#endif
