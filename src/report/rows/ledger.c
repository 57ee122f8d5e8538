/* SPDX-License-Identifier: MIT */
#include "base/array.h"
#include "base/counts.h"
#include "report/rows/ledger.h"

#include "base/ns.h"

static struct tcpwhy_ledger_entry entry_of(const struct tw_span *span)
{
    return (struct tcpwhy_ledger_entry) {
        .cause = span->cause,
        .party = span->party,
        .from = span->from,
        .confidence = span->confidence,
        .rival = span->rival,
        .ns = span->to_ns - span->from_ns,
        .count = span->count,
        .first_ns = span->from_ns,
    };
}

static bool same_line(const struct tcpwhy_ledger_entry *a, const struct tcpwhy_ledger_entry *b)
{
    return a->cause == b->cause && a->party == b->party && a->from == b->from &&
           a->confidence == b->confidence && a->rival == b->rival;
}

/* The entry of this line among the first n; n if there is none. */
static guint find_line(const struct tcpwhy_ledger_entry *e, guint n,
                       const struct tcpwhy_ledger_entry *like)
{
    guint i = 0;

    while (i < n && !same_line(&e[i], like))
        i++;
    return i;
}

static void add_to(struct tcpwhy_ledger_entry *e, const struct tcpwhy_ledger_entry *more)
{
    e->ns = tw_ns_add(e->ns, more->ns);
    e->count += more->count;
    e->first_ns = MIN(e->first_ns, more->first_ns);
}

void tw_ledger_add(tw_array *entries, const struct tcpwhy_ledger_entry *entry)
{
    struct tcpwhy_ledger_entry *e = (struct tcpwhy_ledger_entry *)(void *)entries->data;
    guint line = find_line(e, entries->len, entry);

    if (line < entries->len)
        add_to(&e[line], entry);
    else
        tw_array_append_val(entries, *entry);
}

/* A line of the span's cause and side. */
static bool is_of_line(const struct tw_span *span, const struct tcpwhy_ledger_entry *e)
{
    return e->party == span->party && e->confidence == span->confidence && e->rival == span->rival;
}

/* The spans of a cause on one side are mostly of the line of its last one: that is looked at first.
 * They come in the order of time, so that a line begins with its first. */
uint32_t tw_ledger_of_spans(const struct tw_explanation *x, struct tcpwhy_ledger_entry *e)
{
    struct tcpwhy_ledger_entry *last[TW_N_CAUSES][2] = { { NULL } }; /* the cause's last line */
    struct tcpwhy_ledger_entry *line;
    uint32_t n = 0;

    for (uint32_t i = 0; i < x->n_spans; i++) {
        const struct tw_span *span = &x->span[i];

        line = last[span->cause][span->from];
        if (line && is_of_line(span, line)) {
            line->ns = tw_ns_add(line->ns, span->to_ns - span->from_ns);
            line->count += span->count;
            continue;
        }
        e[n] = entry_of(span);
        line = line ? &e[find_line(e, n, &e[n])] : &e[n];
        last[span->cause][span->from] = line;
        if (line < &e[n])
            add_to(line, &e[n]);
        else
            n++;
    }
    return n;
}

static int by_cost(const struct tcpwhy_ledger_entry *x, const struct tcpwhy_ledger_entry *y)
{
    if (x->ns != y->ns)
        return x->ns < y->ns ? 1 : -1;
    if (x->cause != y->cause)
        return (int)x->cause - (int)y->cause;
    if (x->from != y->from)
        return (int)x->from - (int)y->from;
    return (int)y->confidence - (int)x->confidence;
}

/* They are a handful. */
void tw_ledger_sort(struct tcpwhy_ledger_entry *e, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct tcpwhy_ledger_entry moved = e[i];
        size_t to = i;

        for (; to > 0 && by_cost(&e[to - 1], &moved) > 0; to--)
            e[to] = e[to - 1];
        e[to] = moved;
    }
}

tw_causes tw_ledger_causes(const struct tw_stream_row *s)
{
    tw_causes causes = 0;

    for (size_t i = 0; i < s->n_ledger; i++)
        causes |= TW_CAUSE(s->ledger[i].cause);
    return causes;
}

enum tcpwhy_side tw_cause_endpoint(enum tcpwhy_cause cause, enum tcpwhy_side from)
{
    switch (cause) {
    case TCPWHY_DELAYED_ACK:
    case TCPWHY_ZERO_WINDOW:
    case TCPWHY_RECEIVE_WINDOW_LIMITED:
    case TCPWHY_APP_WINDOW:
        return from == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
    case TCPWHY_HANDSHAKE:
    case TCPWHY_CONNECT_RETRY:
    case TCPWHY_CONNECT_REFUSED:
    case TCPWHY_SERVER_THINK:
        return TCPWHY_SERVER;
    case TCPWHY_CLIENT_THINK:
    case TCPWHY_CLIENT_IDLE:
        return TCPWHY_CLIENT;
    default:
        return from;
    }
}
