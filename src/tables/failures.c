/* SPDX-License-Identifier: MIT */
/* Table of failures: what broke, who did it, and the evidence. */
#include "base/array.h"
#include "tables/put.h"

#include "render/view/names.h"
#include "tables/json_cell.h"

#define COLUMNS(X)                                                                                 \
    X(text, REQUIRED, capture_id, row->capture->id, "see captures")                                \
    X(int, REQUIRED, failure, (int64_t)row->j, "rank in its capture: most frequent sort first")    \
    X(text, REQUIRED, kind, tw_name_failure(f->kind), "one of 'tcpwhy causes'")                    \
    X(text, REQUIRED, failed, tw_name_failed(f->failed),                                           \
      "what failed: connect, request, transfer, idle_connection, close or name_lookup")            \
    X(stream, NULLABLE, stream, f->stream, "see connections")                                      \
    X(endpoint, REQUIRED, client, &f->client, "address:port")                                      \
    X(endpoint, REQUIRED, server, &f->server, "address:port")                                      \
    X(time, NULLABLE, time_utc_ns, tw_utc_ns(row->report, f->time_ns), "when it broke")            \
    X(ms, NULLABLE, after_ms, f->after_ns, "silence before it, or how long a host waited")         \
    X(text, REQUIRED, who, tw_name_culprit(f->who),                                                \
      "client, server, both, middlebox, middlebox_near_client, middlebox_near_server or unknown")  \
    X(text, REQUIRED, seen_as, tw_name_seen_as(f->seen_as),                                        \
      "how the user's program sees it: ECONNRESET, timeout, end_of_file ...")                      \
    X(confidence, REQUIRED, confidence, f->confidence, "certain, likely or ambiguous")             \
    X(text, REQUIRED, frames, frames, "evidence: a JSON array of frame numbers")                   \
    X(text, REQUIRED, clues, clues, "what speaks for it: a JSON object of sentences by name")      \
    X(text, REQUIRED, summary, f->summary, "one or two sentences with the figures")                \
    X(text, REQUIRED, remedy, f->remedy, "what to change")

static char *clues_json(const struct tw_failure_row *f)
{
    struct tw_json_cell cell;

    tw_json_cell_begin(&cell);
    tw_json_object(&cell.json, NULL);
    for (size_t i = 0; i < f->n_clues; i++)
        tw_json_string(&cell.json, f->clues[i].name, f->clues[i].text);
    return tw_json_cell_end(&cell);
}

static void put_row(const struct tw_row *row, struct tw_put *put)
{
    const struct tw_failure_row *f =
        &tw_array_index(row->report->failures, struct tw_failure_row, row->j);
    tw_autofree char *frames = tw_json_cell_frames(f->frames, f->n_frames), *clues = clues_json(f);

    COLUMNS(TW_PUT)
}

static size_t count(const struct tw_row *row)
{
    return row->report ? row->report->failures->len : 0;
}

static const struct tw_column columns[] = { COLUMNS(TW_COLUMN) };

const struct tw_table tw_table_failures = {
    .name = "failures",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .count = count,
    .put = put_row,
};
