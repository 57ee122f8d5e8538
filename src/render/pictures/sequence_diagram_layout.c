/* SPDX-License-Identifier: MIT */
/*
 * Two columns stand far apart, more of them closer; long times push all of them to the right.
 */
#include "render/pictures/sequence_diagram_layout.h"

#include <string.h>

#include "base/number.h"

/* Where the first column stands, how far apart two are, and the room right of the last. */
#define LEFT         TW_PX(176)
#define TIME_LETTERS 11
#define TWO_APART    TW_PX(536)
#define MIN_APART    TW_PX(190)
#define RIGHT        TW_PX(288)

int tw_sequence_diagram_apart(const struct tw_flow_columns *columns)
{
    int n = (int)columns->host->len;

    return n > 2 ? MAX(TWO_APART / (n - 1), MIN_APART) : TWO_APART;
}

/* Milliseconds of more than a quarter of an hour want more room than others. */
static int left(const struct tw_flow *flow)
{
    int letters = (int)strlen(tw_ms(flow->to_ns - flow->from_ns, 3).text);

    return LEFT + MAX(letters - TIME_LETTERS, 0) * TW_SVG_MONO;
}

int tw_sequence_diagram_width(const struct tw_flow *flow, const struct tw_flow_columns *columns)
{
    return left(flow) + (MAX((int)columns->host->len, 2) - 1) * tw_sequence_diagram_apart(columns) +
           RIGHT;
}

int tw_sequence_diagram_x(const struct tw_sequence_diagram *l, uint32_t i)
{
    return left(l->flow) + (int)i * tw_sequence_diagram_apart(l->columns);
}

int tw_sequence_diagram_time(const struct tw_sequence_diagram *l)
{
    return left(l->flow) - TW_PX(26);
}

int tw_sequence_diagram_left(const struct tw_sequence_diagram *l)
{
    return tw_sequence_diagram_x(l, 0);
}

int tw_sequence_diagram_right(const struct tw_sequence_diagram *l)
{
    return tw_sequence_diagram_x(l, MAX(l->columns->host->len, 2) - 1);
}
