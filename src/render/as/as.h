/* SPDX-License-Identifier: MIT */
/*
 * A capture in another tool's layout: lines as the tool has them, notes on why its own figures
 * differ, and the same figures by name.
 */
#ifndef TW_RENDER_AS_AS_H
#define TW_RENDER_AS_AS_H

#include <glib.h>

#include "base/array.h"
#include "base/short_text.h"
#include "base/text.h"
#include "render/renderer.h"

struct tw_as {
    const struct tw_request *request;
    tw_string *lines;     /* in the tool's layout */
    tw_ptr_array *notes;  /* sentences, owned */
    struct tw_json *json; /* NULL, or the open object "figures" */
};

void tw_as_note(struct tw_as *as, const char *format, ...) G_GNUC_PRINTF(2, 3);

void tw_as_wrk(struct tw_as *as);
void tw_as_ab(struct tw_as *as);
void tw_as_hping3(struct tw_as *as);
void tw_as_iperf3(struct tw_as *as);
void tw_as_traceroute(struct tw_as *as);
void tw_as_ss(struct tw_as *as);

/* A number with so many decimals, locale-free. */
struct tw_short_text tw_as_real(double value, unsigned decimals);

/* "65.83 MBytes": in the first of the units, which end with NULL, in which it is below base; digits
 * says how many decimals a value has. */
struct tw_short_text tw_as_scaled(double value, double base, const char *const *units,
                                  unsigned (*decimals)(double value));

#endif
