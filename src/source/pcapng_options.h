/* SPDX-License-Identifier: MIT */
/* The option lists at the end of pcapng blocks. */
#ifndef TW_SOURCE_PCAPNG_OPTIONS_H
#define TW_SOURCE_PCAPNG_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <glib.h>

#include "base/bytes.h"
#include "base/text.h"

#define TW_OPTION_COMMENT 1

/* Iterator over an option list, with the current option. */
struct tw_option {
    struct tw_bytes rest;
    bool big_endian;
    bool overrun; /* the last option exceeds its block */
    uint16_t code;
    struct tw_bytes value;
};

static inline struct tw_option tw_options(struct tw_bytes list, bool big_endian)
{
    return (struct tw_option) { .rest = list, .big_endian = big_endian };
}

/* Step to the next option. @return false at the end of the list. */
bool tw_option_next(struct tw_option *option);

/* The value as a number; 0 if too short. */
uint64_t tw_option_u64(const struct tw_option *option);

/* Append the value as a line of valid UTF-8; label may be "". */
void tw_option_append_text(const struct tw_option *option, const char *label, tw_string *text);

/* Append lines, unless empty or the text would exceed the limit. */
void tw_text_append_line(tw_string *text, const char *line);

#endif
