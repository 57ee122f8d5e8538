/* SPDX-License-Identifier: MIT */
/*
 * A capture in another tool's layout: lines as the tool has them, notes on why its own figures
 * differ, and the same figures by name.
 */
#ifndef TW_RENDER_AS_AS_H
#define TW_RENDER_AS_AS_H

#include <glib.h>

#include "base/array.h"
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

/* "10.9.0.2" of an endpoint. */
const char *tw_as_host(const struct tcpwhy_endpoint *endpoint, char text[TCPWHY_ENDPOINT_TEXT]);

/* A number with so many decimals, locale-free. */
#define TW_AS_NUMBER 48
char *tw_as_real(double value, unsigned decimals, char text[TW_AS_NUMBER]);

#endif
