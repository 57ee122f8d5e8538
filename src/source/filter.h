/* SPDX-License-Identifier: MIT */
/* A BPF expression, compiled once per link type of a capture. */
#ifndef TW_SOURCE_FILTER_H
#define TW_SOURCE_FILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

enum tw_filter_answer {
    TW_FILTER_PASS,
    TW_FILTER_HOLD,
    TW_FILTER_UNUSABLE, /* the expression does not apply to this link type */
};

struct tw_filter;

struct tw_filter *tw_filter_new(const char *expression);
void tw_filter_free(struct tw_filter *filter);

/* The LINKTYPE_ value of libpcap's DLT_. */
uint32_t tw_filter_link_type(int dlt);

/* @return NULL if the expression compiles for link_type, else libpcap's message. */
const char *tw_filter_why_not(struct tw_filter *filter, uint32_t link_type);

enum tw_filter_answer tw_filter_ask(struct tw_filter *filter, uint32_t link_type,
                                    struct tw_bytes bytes, uint32_t original_len);

#endif
