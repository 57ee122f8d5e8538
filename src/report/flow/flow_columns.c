/* SPDX-License-Identifier: MIT */
/*
 * One column per host address; with several streams the ports are beside the arrows. A host that
 * talks to itself gets a second column, by its server's port.
 */
#include "report/flow/flow_columns.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "report/endpoints.h"

struct builder {
    struct tw_flow_columns *out;
    tw_hash_table *by_host; /* struct tcpwhy_endpoint to its column + 1 */
    uint32_t max;
    bool with_ports;
};

static struct tcpwhy_endpoint host_of(const struct builder *b, const struct tw_stream_row *s,
                                      enum tcpwhy_side side)
{
    struct tcpwhy_endpoint host = side == TCPWHY_CLIENT ? s->client : s->server;
    bool itself = memcmp(s->client.address, s->server.address, sizeof(host.address)) == 0;

    if (!b->with_ports && !(itself && side == TCPWHY_SERVER))
        host.port = 0;
    return host;
}

static struct tw_flow_host *host_at(const struct tw_flow_columns *columns, uint32_t i)
{
    return &tw_array_index(columns->host, struct tw_flow_host, i);
}

static uint32_t column_of(struct builder *b, const struct tcpwhy_endpoint *host)
{
    const struct tw_flow_host added = { .address = *host };
    tw_array *hosts = b->out->host;
    uint32_t known = GPOINTER_TO_UINT(tw_hash_table_lookup(b->by_host, host));

    if (known > 0)
        return known - 1;
    if (hosts->len < b->max)
        tw_array_append_val(hosts, added);
    else
        b->out->others = b->out->others == 0 ? 2 : b->out->others + 1;
    tw_hash_table_insert(b->by_host, tw_memdup2(host, sizeof(*host)), GUINT_TO_POINTER(hosts->len));
    return hosts->len - 1;
}

static void note_name(struct tw_flow_host *host, const char *name)
{
    if (!host->name)
        host->name = name;
    else if (name && strcmp(name, host->name) != 0)
        host->other_names = true;
}

static bool has_several_sources(const struct tw_flow *flow)
{
    for (guint i = 1; i < flow->rows->len; i++)
        if (tw_array_index(flow->rows, struct tw_flow_row, i).source !=
            tw_array_index(flow->rows, struct tw_flow_row, 0).source)
            return true;
    return false;
}

/* One stream has its client left, whoever sends first. */
static enum tcpwhy_side first_side(const struct builder *b, const struct tw_flow_row *row)
{
    return b->with_ports ? TCPWHY_CLIENT : (enum tcpwhy_side)row->first->from;
}

void tw_flow_columns_build(const struct tw_flow_source *source, uint32_t n,
                           const struct tw_flow *flow, uint32_t max, struct tw_flow_columns *out)
{
    struct builder b = { .out = out,
                         .by_host = tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal,
                                                           tw_free, NULL),
                         .max = MAX(max, 2),
                         .with_ports = !has_several_sources(flow) };

    *out = (struct tw_flow_columns) { .host =
                                          tw_array_new(FALSE, FALSE, sizeof(struct tw_flow_host)) };
    out->together = !b.with_ports;
    out->of = tw_malloc0_n(n + 1, sizeof(*out->of));
    for (guint i = 0; i < flow->rows->len; i++) {
        const struct tw_flow_row *row = &tw_array_index(flow->rows, struct tw_flow_row, i);
        const struct tw_stream_row *s = source[row->source].stream;
        enum tcpwhy_side side = first_side(&b, row);

        for (int k = 0; k < 2; k++, side = side == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT) {
            struct tcpwhy_endpoint host = host_of(&b, s, side);

            out->of[row->source][side] = column_of(&b, &host);
        }
        note_name(host_at(out, out->of[row->source][TCPWHY_SERVER]), s->server_name);
    }
    tw_hash_table_destroy(b.by_host);
}

void tw_flow_columns_clear(struct tw_flow_columns *columns)
{
    tw_array_free(columns->host, TRUE);
    tw_free(columns->of);
}

uint32_t tw_flow_columns_hosts(const struct tw_flow_columns *columns)
{
    return columns->others > 0 ? columns->host->len - 1 + columns->others : columns->host->len;
}

static bool is_shared(const struct tw_flow_columns *columns, uint32_t i)
{
    return columns->others > 0 && i + 1 == columns->host->len;
}

char *tw_flow_column_name(const struct tw_flow_columns *columns, uint32_t i, char *text)
{
    if (is_shared(columns, i))
        snprintf(text, TCPWHY_ENDPOINT_TEXT, "%u more hosts", columns->others);
    else
        tcpwhy_endpoint_format(&host_at(columns, i)->address, text);
    return text;
}

const char *tw_flow_column_server(const struct tw_flow_columns *columns, uint32_t i)
{
    const struct tw_flow_host *host = host_at(columns, i);

    return is_shared(columns, i) || host->other_names ? NULL : host->name;
}
