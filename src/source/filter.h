/* SPDX-License-Identifier: MIT */
/* A BPF expression, compiled once for each link type that a capture turns out to hold. */
#ifndef TW_SOURCE_FILTER_H
#define TW_SOURCE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

enum tw_filter_answer {
    TW_FILTER_PASS,
    TW_FILTER_HOLD,
    TW_FILTER_UNUSABLE, /* the expression makes no sense on this link type */
};

struct tw_filter;

struct tw_filter *tw_filter_new(const char *expression);
void tw_filter_free(struct tw_filter *filter);

/* The LINKTYPE_ value of a DLT_ that libpcap captures. */
uint32_t tw_filter_link_type(int dlt);

/* @return NULL when the expression compiles for link_type, else libpcap's reason. */
const char *tw_filter_why_not(struct tw_filter *filter, uint32_t link_type);

enum tw_filter_answer tw_filter_ask(struct tw_filter *filter, uint32_t link_type,
                                    struct tw_bytes bytes, uint32_t original_len);

#endif
