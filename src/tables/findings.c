/* SPDX-License-Identifier: MIT */
/* Table of findings: a cause at an endpoint, its cost, and the evidence. */
#include "base/array.h"
#include "tables/put.h"

#include "render/view/records.h"
#include "tables/json_cell.h"

#define COLUMNS(X)                                                                                 \
    X(text, REQUIRED, capture_id, row->capture->id, "see captures")                                \
    X(int, REQUIRED, finding, (int64_t)row->j, "rank in its capture: 0 is the costliest")          \
    X(cause, REQUIRED, cause, f->cause, "one of 'tcpwhy causes'")                                  \
    X(party, REQUIRED, party, f->party, "owner: client, server, path or none")                     \
    X(endpoint, NULLABLE, endpoint, &f->endpoint, "side that can fix it, address:port")            \
    X(endpoint, NULLABLE, peer, &f->peer, "the peer, if there is only one")                        \
    X(confidence, REQUIRED, confidence, f->confidence, "certain, likely or ambiguous")             \
    X(rival, NULLABLE, rival, f->rival, "alternative cause, unless certain")                       \
    X(int, REQUIRED, stream, f->stream, "connection with the highest cost")                        \
    X(int, REQUIRED, connections, f->streams, "connections affected")                              \
    X(ms, REQUIRED, cost_ms, f->cost_ns, "cost over all connections")                              \
    X(int, REQUIRED, count, (int64_t)f->count, "occurrences")                                      \
    X(ms, NULLABLE, median_ms, f->median_ns, "median per occurrence")                              \
    X(text, REQUIRED, frames, frames, "evidence: a JSON array of frame numbers")                   \
    X(text, REQUIRED, detail, detail, "figures with units: a JSON object")                         \
    X(text, REQUIRED, summary, f->summary, "one sentence with the figures")                        \
    X(text, REQUIRED, remedy, f->remedy, "what to change")

static char *detail_json(const struct tw_finding_row *f)
{
    struct tw_json_cell cell;

    tw_json_cell_begin(&cell);
    tw_json_object(&cell.json, NULL);
    tw_json_details(&cell.json, f);
    return tw_json_cell_end(&cell);
}

static void put_row(const struct tw_row *row, struct tw_put *put)
{
    const struct tw_finding_row *f =
        &tw_array_index(row->report->findings, struct tw_finding_row, row->j);
    tw_autofree char *frames = tw_json_cell_frames(f->frames, f->n_frames),
                     *detail = detail_json(f);

    COLUMNS(TW_PUT)
}

static size_t count(const struct tw_row *row)
{
    return row->report ? row->report->findings->len : 0;
}

static const struct tw_column columns[] = { COLUMNS(TW_COLUMN) };

const struct tw_table tw_table_findings = {
    .name = "findings",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .count = count,
    .put = put_row,
};
