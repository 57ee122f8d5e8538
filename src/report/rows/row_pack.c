/* SPDX-License-Identifier: MIT */
/*
 * Numbers are stored in seven bits per byte, low bits first. One table lists the fields for both
 * directions.
 */
#include "report/rows/row_pack.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"

struct tw_packed {
    uint32_t size;  /* of all this */
    uint32_t hangs; /* struct hanging is first in data */
    uint8_t data[];
};

/* Parts of a row that are not packed. */
struct hanging {
    const struct tcpwhy_exchange *exchanges;
    const struct tcpwhy_span *spans;
    const struct tw_weighings *weighings;
    const struct tcpwhy_fact *facts;
    size_t n_exchanges, n_spans, n_facts;
    const char *called;
};

struct field {
    uint16_t at, size;
};

#define PART(type, name, part)                                                                     \
    {                                                                                              \
        offsetof(struct type, name), part                                                          \
    }
#define FIELD(type, name) PART(type, name, sizeof(((struct type *)0)->name))
#define STREAM(name)      FIELD(tw_stream_row, name)
#define LEDGER(name)      FIELD(tcpwhy_ledger_entry, name)
#define ENDPOINT(name)                                                                             \
    PART(tw_stream_row, name.address[0], 8), PART(tw_stream_row, name.address[8], 8),              \
        STREAM(name.port), STREAM(name.version)

static const struct field stream_fields[] = {
    STREAM(stream),
    ENDPOINT(client),
    ENDPOINT(server),
    STREAM(roles_inferred),
    STREAM(complete_start),
    STREAM(complete_end),
    STREAM(vantage),
    STREAM(vantage_confidence),
    STREAM(start_ns),
    STREAM(duration_ns),
    STREAM(first_frame),
    STREAM(last_frame),
    STREAM(frames),
    STREAM(bytes_to_server),
    STREAM(bytes_to_client),
    STREAM(retransmissions),
    STREAM(repairs.fast),
    STREAM(repairs.probes),
    STREAM(repairs.timeouts),
    STREAM(repairs.after_timeouts),
    STREAM(repairs.spurious),
    STREAM(rtt_min_ns),
    STREAM(rtt_median_ns),
    STREAM(rtt_max_ns),
    STREAM(verdict.cause),
    STREAM(verdict.party),
    STREAM(verdict.confidence),
    STREAM(verdict.rival),
    ENDPOINT(verdict.endpoint),
    STREAM(verdict.cost_ns),
    STREAM(verdict.share),
    STREAM(verdict.streams),
    STREAM(verdict.failure),
    STREAM(verdict.failures),
    STREAM(n_ledger),
    STREAM(latency.count),
    STREAM(latency.min_ns),
    STREAM(latency.p50_ns),
    STREAM(latency.p75_ns),
    STREAM(latency.p90_ns),
    STREAM(latency.p99_ns),
    STREAM(latency.max_ns),
    STREAM(latency.first_ns),
    STREAM(latency.last_ns),
    STREAM(status.n[0]),
    STREAM(status.n[1]),
    STREAM(status.n[2]),
    STREAM(status.n[3]),
    STREAM(status.n[4]),
    STREAM(status.n[5]),
    STREAM(way_ns[0]),
    STREAM(way_ns[1]),
    STREAM(isn[0]),
    STREAM(isn[1]),
};

static const struct field ledger_fields[] = {
    LEDGER(cause), LEDGER(party), LEDGER(from),  LEDGER(confidence),
    LEDGER(rival), LEDGER(ns),    LEDGER(count), LEDGER(first_ns),
};

/* Whoever adds a field comes by here: it belongs into the tables above. */
#if GLIB_SIZEOF_VOID_P == 8
G_STATIC_ASSERT(sizeof(struct tw_stream_row) == 472);
G_STATIC_ASSERT(sizeof(struct tcpwhy_ledger_entry) == 48);
#endif

/* Bytes of the longest packed number. */
#define MOST_BYTES 10

/* ---- numbers --------------------------------------------------------------------------------- */

static uint64_t load(const uint8_t *at, size_t size)
{
    uint16_t two;
    uint32_t four;
    uint64_t eight;

    switch (size) {
    case 1:
        return *at;
    case 2:
        memcpy(&two, at, sizeof two);
        return two;
    case 4:
        memcpy(&four, at, sizeof four);
        return four;
    default:
        memcpy(&eight, at, sizeof eight);
        return eight;
    }
}

static void store(uint8_t *at, size_t size, uint64_t value)
{
    uint16_t two = (uint16_t)value;
    uint32_t four = (uint32_t)value;

    switch (size) {
    case 1:
        *at = (uint8_t)value;
        break;
    case 2:
        memcpy(at, &two, sizeof two);
        break;
    case 4:
        memcpy(at, &four, sizeof four);
        break;
    default:
        memcpy(at, &value, sizeof value);
    }
}

/* The sign last, so that small numbers are short either way; and TCPWHY_NS_UNKNOWN, the least of
 * all, is 0. */
static uint64_t fold(uint64_t value)
{
    return (value << 1 ^ (0 - (value >> 63))) + 1;
}

static uint64_t unfold(uint64_t folded)
{
    folded--;
    return folded >> 1 ^ (0 - (folded & 1));
}

static uint8_t *put_fields(uint8_t *to, const void *from, const struct field *field, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value = fold(load((const uint8_t *)from + field[i].at, field[i].size));

        for (; value >= 0x80; value >>= 7)
            *to++ = (uint8_t)(value | 0x80);
        *to++ = (uint8_t)value;
    }
    return to;
}

static const uint8_t *get_fields(const uint8_t *from, void *to, const struct field *field, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value = 0;
        unsigned shift = 0;

        for (; *from & 0x80; shift += 7)
            value |= (uint64_t)(*from++ & 0x7f) << shift;
        value |= (uint64_t)*from++ << shift;
        store((uint8_t *)to + field[i].at, field[i].size, unfold(value));
    }
    return from;
}

/* ---- rows ------------------------------------------------------------------------------------ */

struct tw_packed *tw_row_pack(const struct tw_stream_row *row, tw_byte_array *room)
{
    size_t numbers = G_N_ELEMENTS(stream_fields) + row->n_ledger * G_N_ELEMENTS(ledger_fields);
    const struct hanging hanging = { row->exchanges,   row->spans,   row->weighings, row->facts,
                                     row->n_exchanges, row->n_spans, row->n_facts,   row->called };
    struct tw_packed *packed;
    uint8_t *to;

    tw_byte_array_set_size(room, (guint)(sizeof *packed + sizeof hanging + numbers * MOST_BYTES));
    packed = (struct tw_packed *)(void *)room->data;
    packed->hangs = row->exchanges || row->spans || row->weighings || row->facts || row->called;
    to = packed->data;
    if (packed->hangs) {
        memcpy(to, &hanging, sizeof hanging);
        to += sizeof hanging;
    }
    to = put_fields(to, row, stream_fields, G_N_ELEMENTS(stream_fields));
    for (size_t i = 0; i < row->n_ledger; i++)
        to = put_fields(to, &row->ledger[i], ledger_fields, G_N_ELEMENTS(ledger_fields));
    packed->size = (uint32_t)(to - room->data);
    return tw_packed_copy(packed);
}

struct tw_packed *tw_packed_copy(const struct tw_packed *packed)
{
    return tw_memdup2(packed, packed->size);
}

void tw_row_unpack(const struct tw_packed *packed, struct tw_stream_row *row, tw_array *ledger)
{
    const uint8_t *from = packed->data;
    struct hanging hanging = { 0 };

    if (packed->hangs) {
        memcpy(&hanging, from, sizeof hanging);
        from += sizeof hanging;
    }
    *row = (struct tw_stream_row) {
        .exchanges = hanging.exchanges,
        .n_exchanges = hanging.n_exchanges,
        .spans = hanging.spans,
        .n_spans = hanging.n_spans,
        .weighings = hanging.weighings,
        .facts = hanging.facts,
        .n_facts = hanging.n_facts,
        .called = hanging.called,
    };
    from = get_fields(from, row, stream_fields, G_N_ELEMENTS(stream_fields));
    if (!ledger)
        return;
    tw_array_set_size(ledger, (guint)row->n_ledger);
    row->ledger = (const struct tcpwhy_ledger_entry *)(const void *)ledger->data;
    for (size_t i = 0; i < row->n_ledger; i++)
        from = get_fields(from, &tw_array_index(ledger, struct tcpwhy_ledger_entry, i),
                          ledger_fields, G_N_ELEMENTS(ledger_fields));
}
