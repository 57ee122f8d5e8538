/* SPDX-License-Identifier: MIT */
#include "report/series/cause_columns.h"

#include "base/counts.h"
#include "report/flow/flow_part.h"

/* A long life has more intervals than a picture has pixels: drawn one by one the last of a pixel
 * would win, not the longest. */
struct columns {
    tcpwhy_ns from_ns, shown_ns;
    uint32_t n;
    tw_array *pieces;
    tcpwhy_ns part_ns[TW_N_CAUSES]; /* of the column that is being filled */
    uint32_t at;
};

static tcpwhy_ns begin_of(const struct columns *c, uint32_t column)
{
    return c->from_ns + (tcpwhy_ns)((double)c->shown_ns * column / c->n);
}

static void add_piece(struct columns *c, uint32_t from, uint32_t to, enum tcpwhy_cause cause)
{
    struct tw_cause_piece piece = { from, to, cause, begin_of(c, from), begin_of(c, to) };
    struct tw_cause_piece *last;

    if (from >= to)
        return;
    last = c->pieces->len > 0
               ? &tw_array_index(c->pieces, struct tw_cause_piece, c->pieces->len - 1)
               : NULL;
    if (last && last->to == from && last->cause == cause) {
        last->to = to;
        last->to_ns = piece.to_ns;
    } else {
        tw_array_append_val(c->pieces, piece);
    }
}

/* The column is full: the cause with most of it has it. */
static void close_column(struct columns *c)
{
    unsigned most = 0;

    for (unsigned i = 1; i < TW_N_CAUSES; i++)
        if (c->part_ns[i] > c->part_ns[most])
            most = i;
    if (c->part_ns[most] > 0)
        add_piece(c, c->at, c->at + 1, (enum tcpwhy_cause)most);
    for (unsigned i = 0; i < TW_N_CAUSES; i++)
        c->part_ns[i] = 0;
    c->at++;
}

static uint32_t column_of(const struct columns *c, tcpwhy_ns ns)
{
    double part = (double)(ns - c->from_ns) / (double)c->shown_ns;

    return MIN((uint32_t)(CLAMP(part, 0, 1) * c->n), c->n - 1);
}

static void add_span(struct columns *c, const struct tcpwhy_span *s)
{
    tcpwhy_ns from_ns = MAX(s->from_ns, c->from_ns);
    tcpwhy_ns to_ns = MIN(s->to_ns, c->from_ns + c->shown_ns);
    uint32_t first = column_of(c, from_ns), last = column_of(c, to_ns);

    if (to_ns <= from_ns || (unsigned)s->cause >= TW_N_CAUSES)
        return;
    while (c->at < first)
        close_column(c);
    c->part_ns[s->cause] += MIN(to_ns, begin_of(c, first + 1)) - from_ns;
    if (last == first)
        return;
    close_column(c);
    add_piece(c, first + 1, last, s->cause);
    c->at = last;
    c->part_ns[s->cause] += MAX(to_ns - begin_of(c, last), 0);
}

tw_array *tw_cause_columns(const struct tw_stream_row *stream, tcpwhy_ns from_ns, tcpwhy_ns to_ns,
                           uint32_t columns)
{
    struct columns c = { .from_ns = from_ns,
                         .shown_ns = MAX(to_ns - from_ns, 1),
                         .n = MAX(columns, 1),
                         .pieces = tw_array_new(FALSE, FALSE, sizeof(struct tw_cause_piece)) };

    for (size_t i = tw_flow_first_span(stream, from_ns); i < stream->n_spans; i++) {
        if (stream->spans[i].from_ns >= to_ns)
            break;
        add_span(&c, &stream->spans[i]);
    }
    close_column(&c);
    return c.pieces;
}
