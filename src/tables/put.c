/* SPDX-License-Identifier: MIT */
#include "tables/put.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

/* Append a bit; the array grows by a byte every eight. */
static void append_bit(tw_byte_array *bits, int64_t at, bool value)
{
    static const guint8 zero = 0;

    if (at % 8 == 0)
        tw_byte_array_append(bits, &zero, 1);
    if (value)
        bits->data[at / 8] |= (guint8)(1U << at % 8);
}

/* Add a row to the next column; the caller appends its value. */
static struct tw_cells *next(struct tw_put *put, enum tw_type type, bool known)
{
    struct tw_cells *cells;

    assert(put->next < put->n_cells);
    cells = &put->cells[put->next++];
    assert(cells->type == type);
    (void)type;
    append_bit(cells->valid, cells->n, known);
    cells->nulls += !known;
    cells->n++;
    return cells;
}

static void put_64(struct tw_put *put, enum tw_type type, bool known, const void *value)
{
    static const guint8 zero[8] = { 0 };
    struct tw_cells *cells = next(put, type, known);

    tw_byte_array_append(cells->values, known ? value : zero, 8);
}

static void put_bytes(struct tw_put *put, bool known, const char *text, size_t len)
{
    struct tw_cells *cells = next(put, TW_TEXT, known);
    int32_t end;

    tw_byte_array_append(cells->values, (const guint8 *)text, (guint)len);
    end = (int32_t)cells->values->len;
    tw_byte_array_append(cells->offsets, (const guint8 *)&end, sizeof(end));
    put->text_bytes += len;
}

void tw_put_text(struct tw_put *put, const char *text)
{
    const char *bytes = text ? text : "";

    if (g_utf8_validate(bytes, -1, NULL)) {
        put_bytes(put, text != NULL, bytes, strlen(bytes));
    } else {
        tw_autofree char *valid = tw_utf8_make_valid(bytes, -1);

        put_bytes(put, true, valid, strlen(valid));
    }
}

void tw_put_nulls(struct tw_put *put)
{
    static const guint8 zero[8] = { 0 };

    while (put->next < put->n_cells) {
        enum tw_type type = put->cells[put->next].type;

        if (type == TW_TEXT)
            put_bytes(put, false, "", 0);
        else
            put_64(put, type, false, zero);
    }
}

void tw_put_int(struct tw_put *put, int64_t value)
{
    put_64(put, TW_INT, true, &value);
}

void tw_put_stream(struct tw_put *put, uint32_t stream)
{
    const int64_t value = stream;

    put_64(put, TW_INT, stream != TCPWHY_NO_STREAM, &value);
}

void tw_put_nonzero(struct tw_put *put, int64_t value)
{
    put_64(put, TW_INT, value != 0, &value);
}

void tw_put_number(struct tw_put *put, int64_t value)
{
    put_64(put, TW_INT, value >= 0, &value);
}

void tw_put_real(struct tw_put *put, double value)
{
    put_64(put, TW_REAL, isfinite(value), &value);
}

void tw_put_bool(struct tw_put *put, bool value)
{
    struct tw_cells *cells = next(put, TW_BOOL, true);

    append_bit(cells->values, cells->n - 1, value);
}

void tw_put_ms(struct tw_put *put, tcpwhy_ns ns)
{
    tw_put_real(put, ns == TCPWHY_NS_UNKNOWN ? NAN : (double)ns / 1e6);
}

void tw_put_us(struct tw_put *put, tcpwhy_ns ns)
{
    tw_put_real(put, ns == TCPWHY_NS_UNKNOWN ? NAN : (double)ns / 1e3);
}

void tw_put_time(struct tw_put *put, int64_t utc_ns)
{
    put_64(put, TW_TIME, utc_ns != TCPWHY_NS_UNKNOWN, &utc_ns);
}

void tw_put_endpoint(struct tw_put *put, const struct tcpwhy_endpoint *endpoint)
{
    char text[TCPWHY_ENDPOINT_TEXT];

    tw_put_text(put, endpoint->version ? tcpwhy_endpoint_format(endpoint, text) : NULL);
}

void tw_put_address(struct tw_put *put, const struct tcpwhy_endpoint *endpoint)
{
    struct tcpwhy_endpoint host = *endpoint;

    host.port = 0;
    tw_put_endpoint(put, &host);
}

void tw_put_cause(struct tw_put *put, enum tcpwhy_cause cause)
{
    tw_put_text(put, tcpwhy_cause_info(cause)->name);
}

void tw_put_rival(struct tw_put *put, enum tcpwhy_cause cause)
{
    tw_put_text(put, cause == TCPWHY_CAUSE_NONE ? NULL : tcpwhy_cause_info(cause)->name);
}

void tw_put_party(struct tw_put *put, enum tcpwhy_party party)
{
    tw_put_text(put, tcpwhy_party_name(party));
}

void tw_put_confidence(struct tw_put *put, enum tcpwhy_confidence confidence)
{
    tw_put_text(put, tcpwhy_confidence_name(confidence));
}

int64_t tw_utc_ns(const tcpwhy_report *report, tcpwhy_ns since_ns)
{
    int64_t utc_ns;

    if (report->capture.first_ns == TCPWHY_NS_UNKNOWN || since_ns == TCPWHY_NS_UNKNOWN ||
        __builtin_add_overflow(report->capture.first_ns, since_ns, &utc_ns))
        return TCPWHY_NS_UNKNOWN;
    return utc_ns;
}
